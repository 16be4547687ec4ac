/* Building the random search from constraints. */

#include "dive/inner.h"

/* A position in the numbers. */
typedef struct {
    const int *numbers;
    int count;
    int at;
    int length; /* of the clauses of the current run, and how many are left */
    int left;
} Reader;

typedef enum { READ_END, READ_ROW, READ_WRONG } Read;

/* Read the beginning of a run of clauses, or a constraint of another kind into `row`. */
static Read read_header(Reader *reader, Row *row) {
    const int *numbers = reader->numbers + reader->at;
    const int left = reader->count - reader->at;
    if (left < 2 || numbers[0] < -1 || numbers[1] < 0 || (numbers[0] == -1 && left < 4)) {
        return READ_WRONG;
    }
    if (numbers[0] == -1) {
        *row = (Row){.start = reader->at + 4, .length = numbers[1], .least = numbers[2], .most = numbers[3]};
        reader->at = row->length <= left - 4 ? row->start + row->length : 0;
        return row->length <= left - 4 ? READ_ROW : READ_WRONG;
    }
    reader->length = numbers[0];
    reader->left = numbers[0] ? numbers[1] : numbers[1] > 0; /* one empty clause says as much as many */
    reader->at += 2;
    return (int64_t)reader->length * reader->left <= left - 2 ? READ_END : READ_WRONG;
}

/* The next constraint. Its `start` is that of its literals in the numbers. */
static Read next_row(Reader *reader, Row *row) {
    while (!reader->left) {
        if (reader->at == reader->count) {
            return READ_END;
        }
        const Read read = read_header(reader, row);
        if (read != READ_END) {
            return read;
        }
    }
    *row = (Row){.start = reader->at, .length = reader->length, .least = 1, .most = reader->length};
    reader->at += reader->length;
    reader->left--;
    return READ_ROW;
}

/* Whether a constraint is a clause of two literals. */
static int is_pair(const Row *row) {
    return row->length == 2 && row->least == 1 && row->most == 2;
}

/* Count an entry for the literal with a code, two places after its own; or add it once there is memory for the entries. */
static void add(Index *index, int code, int entry) {
    if (index->entry) {
        index->entry[index->from[code + 1]++] = entry;
    } else {
        index->from[code + 2]++;
    }
}

/* Make room for the entries that were counted. Returns 0 if there is not enough memory. */
static int make_room(Index *index, int variables) {
    const int last = 2 * variables + 3;
    for (int c = 2; c <= last; c++) {
        index->from[c] += index->from[c - 1];
    }
    index->entry = engine_allocate((size_t)index->from[last] + 1, sizeof(int));
    return index->entry != NULL;
}

/* Add a constraint to the indexes: `r` is the number of its row, unless it is a clause of two literals. */
static void index_row(Dive *d, const Row *row, const int *literal, int r) {
    for (int i = 0; i < row->length; i++) {
        const int code = code_of(literal[i]);
        if (is_pair(row)) {
            add(&d->implied, code ^ 1, literal[1 - i]);
            continue;
        }
        add(&d->gains, code, r);
        if (row->least > 0) {
            add(&d->loses, code ^ 1, r);
        }
    }
}

/* Count the rows, their literals, and the entries of the indexes. */
static EngineStatus count_all(Dive *d, const int *numbers, int count, int *literals) {
    Reader reader = {.numbers = numbers, .count = count};
    Row row;
    Read read;
    while ((read = next_row(&reader, &row)) == READ_ROW) {
        for (int i = row.start; i < row.start + row.length; i++) {
            if (numbers[i] == 0 || numbers[i] < -d->variables || numbers[i] > d->variables) {
                return ENGINE_OUT_OF_RANGE;
            }
        }
        index_row(d, &row, numbers + row.start, d->rows);
        if (!is_pair(&row)) {
            d->rows++;
            *literals += row.length;
        }
    }
    return read == READ_END ? ENGINE_OK : ENGINE_OUT_OF_RANGE;
}

/* Whether exactly one of the literals of a row is true, and all are decision variables. */
static int is_item(const Dive *d, const Row *row, const int8_t *decides) {
    int alike = row->least == 1 && row->most == 1;
    for (int i = 0; i < row->length && alike; i++) {
        const int literal = d->literal[row->start + i];
        alike = literal > 0 && decides[literal];
    }
    return alike;
}

static void fill(Dive *d, const int *numbers, int count, const int8_t *decides) {
    int end = 0;
    int r = 0;
    Reader reader = {.numbers = numbers, .count = count};
    Row row;
    while (next_row(&reader, &row) == READ_ROW) {
        index_row(d, &row, numbers + row.start, r);
        if (is_pair(&row)) {
            continue;
        }
        d->row[r] = row;
        d->row[r].start = end;
        for (int i = row.start; i < row.start + row.length; i++) {
            d->literal[end] = numbers[i];
            end++;
        }
        if (is_item(d, d->row + r, decides)) {
            d->item[d->items] = r;
            d->items++;
        }
        r++;
    }
}

static EngineStatus build(Dive *d, const int *numbers, int count, const int8_t *decides) {
    const size_t places = (size_t)d->variables + 1;
    Index *const indexes[] = {&d->implied, &d->gains, &d->loses};
    for (int i = 0; i < 3; i++) {
        indexes[i]->from = engine_allocate(2 * places + 2, sizeof(int));
        if (!indexes[i]->from) {
            return ENGINE_NO_MEMORY;
        }
    }
    int literals = 0;
    const EngineStatus status = count_all(d, numbers, count, &literals);
    if (status != ENGINE_OK) {
        return status;
    }
    for (int i = 0; i < 3; i++) {
        if (!make_room(indexes[i], d->variables)) {
            return ENGINE_NO_MEMORY;
        }
    }
    d->row = engine_allocate((size_t)d->rows + 1, sizeof(Row));
    d->item = engine_allocate((size_t)d->rows + 1, sizeof(int));
    d->literal = engine_allocate((size_t)literals + 1, sizeof(int));
    d->value = engine_allocate(places, sizeof(int8_t));
    d->trail = engine_allocate(places, sizeof(int));
    d->chosen = engine_allocate(places, sizeof(int));
    d->before = engine_allocate(places, sizeof(int));
    if (!d->row || !d->item || !d->literal || !d->value || !d->trail || !d->chosen || !d->before) {
        return ENGINE_NO_MEMORY;
    }
    fill(d, numbers, count, decides);
    return ENGINE_OK;
}

/* The decision variables as flags. */
static EngineStatus flag(int variables, const int *decisions, int decided, int8_t *decides) {
    for (int i = 0; i < decided; i++) {
        if (decisions[i] < 1 || decisions[i] > variables) {
            return ENGINE_OUT_OF_RANGE;
        }
        decides[decisions[i]] = 1;
    }
    return ENGINE_OK;
}

Dive *dive_new(int variables, const int *numbers, int count, const int *decisions, int decided, EngineStatus *status) {
    if (variables < 0 || variables > LARGEST_LITERAL - 2) {
        *status = ENGINE_TOO_LARGE;
        return NULL;
    }
    Dive *d = engine_allocate(1, sizeof(Dive));
    int8_t *decides = engine_allocate((size_t)variables + 1, sizeof(int8_t));
    *status = ENGINE_NO_MEMORY;
    if (d && decides) {
        d->variables = variables;
        *status = flag(variables, decisions, decided, decides);
    }
    if (*status == ENGINE_OK) {
        *status = build(d, numbers, count, decides);
    }
    engine_free(decides);
    if (*status != ENGINE_OK) {
        dive_free(d);
        return NULL;
    }
    dive_begin(d);
    return d;
}

void dive_free(Dive *d) {
    if (d) {
        engine_free(d->row);
        engine_free(d->literal);
        const Index indexes[] = {d->implied, d->gains, d->loses};
        for (int i = 0; i < 3; i++) {
            engine_free(indexes[i].from);
            engine_free(indexes[i].entry);
        }
        engine_free(d->item);
        engine_free(d->value);
        engine_free(d->trail);
        engine_free(d->chosen);
        engine_free(d->before);
        engine_free(d);
    }
}
