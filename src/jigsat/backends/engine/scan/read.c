/* Reading constraints as an exact cover with colours.

   Cells are items that contain each decision variable once. What an option implies is found by propagation. Each other constraint must
   hold whichever option a single cell has, or be a bound on options of several cells, which is a resource. Then options that agree on
   all auxiliary variables and stay within the bounds are a model. */

#include "scan/read.h"

/* ---- the options of a cell ---- */

/* Add a row to those of a cell, without the literals that are decided. */
static void add_row(Reading *r, int row_number) {
    const Row *row = r->row + row_number;
    int *head = r->numbers + r->count;
    r->count += 4;
    for (int i = row->start; i < row->start + row->length; i++) {
        if (r->d->value[variable_of(r->literal[i])] == 0) {
            r->numbers[r->count++] = r->literal[i];
        }
    }
    head[0] = -1;
    head[1] = r->count - 4 - (int)(head - r->numbers);
    head[2] = row->least - count_of(r->d, row, r->literal, 1);
    head[3] = row->most - row->least + head[2];
    r->local[r->locals++] = row_number;
}

/* The rows of a cell: those with its decision variables, and those of auxiliary variables alone that have some in common with them. */
static void list_rows(Reading *r, int c) {
    r->count = r->locals = 0;
    r->mark++;
    add_row(r, r->s->cell[c].row);
    for (int i = r->first[c]; i >= 0; i = r->next[i]) {
        add_row(r, i);
    }
    for (int i = 1, mixed = r->locals; i < mixed; i++) {
        const Row *row = r->row + r->local[i];
        for (int j = row->start; j < row->start + row->length; j++) {
            const int code = code_of(variable_of(r->literal[j]));
            for (int k = r->from[code]; !r->decides[code / 2] && k < r->from[code + 2]; k++) {
                const int other = r->in[k];
                if (r->is_pure[other] && r->state[other] != SAFE && r->row_mark[other] != r->mark) {
                    r->row_mark[other] = r->mark;
                    add_row(r, other);
                }
            }
        }
    }
}

/* The auxiliary variables that the first possible option of a cell determines. */
static EngineStatus begin_cell(Reading *r, const Dive *local, Cell *cell, int options) {
    cell->variable = engine_allocate((size_t)local->assigned + 1, sizeof(int));
    cell->bit = engine_allocate((size_t)local->assigned + 1, sizeof(int));
    if (!cell->variable || !cell->bit) {
        return ENGINE_NO_MEMORY;
    }
    r->mark++;
    for (int i = 0; i < local->assigned; i++) {
        const int variable = variable_of(local->trail[i]);
        if (!r->decides[variable]) {
            r->variable_mark[variable] = r->mark;
            r->position[variable] = cell->auxiliaries;
            r->implied[cell->auxiliaries] = 0;
            cell->variable[cell->auxiliaries] = variable;
            cell->bit[cell->auxiliaries] = cell->auxiliaries;
            cell->auxiliaries++;
        }
    }
    for (int i = 0; i < r->locals; i++) {
        r->settled[i] = 0;
    }
    cell->words = cell->auxiliaries / WORD_BITS + 1;
    cell->pattern = engine_allocate((size_t)options * (size_t)cell->words, sizeof(Word));
    return cell->pattern ? ENGINE_OK : ENGINE_NO_MEMORY;
}

/* Record an option, which has been propagated. */
static void add_option(Reading *r, const Dive *local, Cell *cell, int variable) {
    Word *pattern = cell->pattern + (size_t)cell->count * (size_t)cell->words;
    for (int i = 0; i < local->assigned; i++) {
        const int other = variable_of(local->trail[i]);
        if (!r->decides[other] && r->variable_mark[other] == r->mark) {
            const int bit = r->position[other];
            r->implied[bit]++;
            pattern[bit / WORD_BITS] |= (Word)(local->trail[i] > 0) << bit % WORD_BITS;
        }
    }
    for (int i = 0; i < r->locals; i++) {
        r->settled[i] += is_safe(local, r->row + r->local[i], r->literal);
    }
    cell->option[cell->count] = variable;
    cell->count++;
}

/* Keep what all options determine. */
static void end_cell(Reading *r, Cell *cell) {
    int kept = 0;
    for (int i = 0; i < cell->auxiliaries; i++) {
        if (r->implied[i] == cell->count) {
            cell->variable[kept] = cell->variable[i];
            cell->bit[kept] = i;
            kept++;
        }
    }
    cell->auxiliaries = kept;
    for (int i = 0; i < r->locals; i++) {
        if (r->settled[i] == cell->count) {
            r->state[r->local[i]] = SETTLED;
        }
    }
}

/* Propagate each option of a cell through the rows of the cell. */
static EngineStatus read_options(Reading *r, Dive *local, Cell *cell) {
    const Row *row = r->row + cell->row;
    const int before = local->assigned;
    EngineStatus status = ENGINE_OK;
    cell->option = engine_allocate((size_t)row->length, sizeof(int));
    cell->item = engine_allocate((size_t)row->length, sizeof(int));
    if (!cell->option || !cell->item) {
        return ENGINE_NO_MEMORY;
    }
    for (int i = row->start; i < row->start + row->length; i++) {
        cell->item[cell->items++] = r->literal[i];
    }
    for (int i = row->start; i < row->start + row->length && status == ENGINE_OK && !local->stuck; i++) {
        const int variable = r->literal[i];
        if (r->d->value[variable] != 0) {
            continue;
        }
        if (dive_try(local, variable)) {
            status = cell->count ? ENGINE_OK : begin_cell(r, local, cell, row->length);
            if (status == ENGINE_OK) {
                add_option(r, local, cell, variable);
            }
        }
        dive_undo(local, before);
    }
    return status;
}

static EngineStatus read_cell(Reading *r, int c) {
    Cell *cell = r->s->cell + c;
    EngineStatus status;
    list_rows(r, c);
    Dive *local = dive_new(r->d->variables, r->numbers, r->count, NULL, 0, &status);
    if (!local) {
        return status;
    }
    for (int variable = 1; variable <= r->d->variables; variable++) { /* the rows have no literals that are decided */
        local->value[variable] = r->d->value[variable];
    }
    status = read_options(r, local, cell);
    if (status == ENGINE_OK && cell->count) {
        end_cell(r, cell);
    }
    r->s->done = r->s->done || !cell->count;
    dive_free(local);
    return status;
}

/* ---- the resources of the options ---- */

/* The resources of each option of the cells, as lists that end with 0. */
static EngineStatus list_uses(Reading *r) {
    Scan *s = r->s;
    int *number = engine_allocate((size_t)r->rows + 1, sizeof(int)); /* of the resource of a row */
    size_t size = 1;
    for (int i = 1; i < s->resources; i++) {
        size += (size_t)r->row[s->resource[i].row].length;
    }
    for (int c = 0; c < s->cells; c++) {
        s->cell[c].use = engine_allocate((size_t)s->cell[c].count + 1, sizeof(int));
        size += (size_t)s->cell[c].count + 1;
    }
    s->uses = engine_allocate(size, sizeof(int));
    int at = 0;
    int enough = number && s->uses;
    for (int i = 1; i < s->resources && enough; i++) {
        number[s->resource[i].row] = i;
    }
    for (int c = 0; c < s->cells && enough; c++) {
        const Cell *cell = s->cell + c;
        enough = cell->use != NULL;
        for (int o = 0; o < cell->count && enough; o++) {
            const int code = code_of(cell->option[o]);
            cell->use[o] = at;
            for (int j = r->from[code]; j < r->from[code + 1]; j++) {
                if (number[r->in[j]]) {
                    s->uses[at++] = number[r->in[j]];
                }
            }
            s->uses[at++] = 0;
        }
    }
    engine_free(number);
    return enough ? ENGINE_OK : ENGINE_NO_MEMORY;
}

/* ---- all ---- */

static EngineStatus read_all(Reading *r) {
    Scan *s = r->s;
    if (!scan_sort(r)) {
        return ENGINE_OK;
    }
    for (int c = 0; c < s->cells && !s->done; c++) {
        const EngineStatus status = read_cell(r, c);
        if (status != ENGINE_OK) {
            return status;
        }
    }
    s->suits = 1;
    for (int i = 0; i < r->rows && !s->done; i++) {
        s->suits = s->suits && r->state[i] != OPEN;
    }
    return s->suits && !s->done ? list_uses(r) : ENGINE_OK;
}

EngineStatus scan_read(Scan *s, const int *numbers, int count, const int8_t *decides) {
    const size_t rows = (size_t)count + 1; /* at most */
    const size_t variables = (size_t)s->dive->variables + 1;
    Reading r = {.s = s, .d = s->dive, .decides = decides, .literal = numbers};
    int **arrays[] = {&r.cell_of, &r.variable_mark, &r.position, &r.implied, &r.next, &r.row_mark, &r.settled,
                      &r.local,   &r.first,         &r.score,    &r.in,      &r.item};
    const int number = (int)(sizeof arrays / sizeof *arrays);
    int enough = 1;
    for (int i = 0; i < number; i++) {
        *arrays[i] = engine_allocate(i < 4 ? variables : rows, sizeof(int));
        enough = enough && *arrays[i];
    }
    r.from = engine_allocate(2 * variables + 2, sizeof(int));
    r.row = engine_allocate(rows, sizeof(Row));
    r.state = engine_allocate(rows, sizeof(int8_t));
    r.is_pure = engine_allocate(rows, sizeof(int8_t));
    r.numbers = engine_allocate(5 * rows, sizeof(int));
    enough = enough && r.from && r.row && r.state && r.is_pure && r.numbers;
    if (enough) {
        scan_list(&r, count);
        s->cell = engine_allocate((size_t)r.items + 1, sizeof(Cell));
        s->resource = engine_allocate((size_t)r.rows + 1, sizeof(Resource));
        enough = s->cell && s->resource;
    }
    const EngineStatus status = enough ? read_all(&r) : ENGINE_NO_MEMORY;
    for (int i = 0; i < number; i++) {
        engine_free(*arrays[i]);
    }
    engine_free(r.from);
    engine_free(r.row);
    engine_free(r.state);
    engine_free(r.is_pure);
    engine_free(r.numbers);
    return status;
}
