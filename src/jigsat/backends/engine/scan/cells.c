/* The choice of the cells of a search in a fixed order, among the items of constraints. */

#include "scan/read.h"

#define REJECTED -1
#define PICKED -2

/* The cell of the decision variables of a row, if there is exactly one. */
#define NO_CELL -1
#define SEVERAL_CELLS -2

/* ---- the constraints ---- */

/* Add one row, of which the header has been read. */
static void begin_row(Reading *r, int start, int length, int least, int most) {
    int alike = least == 1 && most == 1;
    for (int i = start; i < start + length; i++) {
        alike = alike && r->literal[i] > 0 && r->decides[r->literal[i]];
        r->from[code_of(r->literal[i]) + 2]++;
    }
    if (alike) {
        r->item[r->items++] = r->rows;
    }
    r->row[r->rows++] = (Row){.start = start, .length = length, .least = least, .most = most};
}

void scan_list(Reading *r, int count) {
    for (int at = 0; at < count;) {
        const int *numbers = r->literal + at;
        if (numbers[0] == -1) {
            begin_row(r, at + 4, numbers[1], numbers[2], numbers[3]);
            at += 4 + numbers[1];
            continue;
        }
        at += 2;
        for (int i = 0; i < numbers[1] && numbers[0]; i++, at += numbers[0]) {
            begin_row(r, at, numbers[0], 1, numbers[0]);
        }
    }
    for (int c = 2; c < 2 * r->d->variables + 4; c++) {
        r->from[c] += r->from[c - 1];
    }
    for (int i = 0; i < r->rows; i++) {
        for (int j = r->row[i].start; j < r->row[i].start + r->row[i].length; j++) {
            r->in[r->from[code_of(r->literal[j]) + 1]++] = i;
        }
    }
}

/* ---- the choice of the cells ---- */

/* Mark the auxiliary variables of a row, and of the rows that consist of auxiliary variables and contain one of them. Returns how many
   of them were not marked. */
static int mark_auxiliaries(Reading *r, int row_number) {
    const Dive *d = r->d;
    const Row *row = r->row + row_number;
    int count = 0;
    if (r->row_mark[row_number] == r->mark) {
        return 0;
    }
    r->row_mark[row_number] = r->mark;
    for (int i = row->start; i < row->start + row->length; i++) {
        const int variable = variable_of(r->literal[i]);
        if (r->decides[variable] || d->value[variable] != 0 || r->variable_mark[variable] == r->mark) {
            continue;
        }
        r->variable_mark[variable] = r->mark;
        count++;
        for (int j = r->from[2 * variable]; j < r->from[2 * variable + 2] && !r->is_pure[row_number]; j++) {
            count += r->is_pure[r->in[j]] ? mark_auxiliaries(r, r->in[j]) : 0;
        }
    }
    return count;
}

/* Find the rows without decision variables that are not decided. */
static void find_pure(Reading *r) {
    const Dive *d = r->d;
    for (int i = 0; i < r->rows; i++) {
        r->is_pure[i] = 1;
        for (int j = r->row[i].start; j < r->row[i].start + r->row[i].length && r->is_pure[i]; j++) {
            const int variable = variable_of(r->literal[j]);
            r->is_pure[i] = !r->decides[variable] || d->value[variable] != 0;
        }
    }
}

/* The number of auxiliary variables that depend on the options of an item. */
static int score_of(Reading *r, const Row *item) {
    int count = 0;
    r->mark++;
    for (int i = item->start; i < item->start + item->length; i++) {
        const int code = code_of(r->literal[i]);
        if (r->d->value[r->literal[i]] == 0) {
            for (int j = r->from[code]; j < r->from[code + 2]; j++) {
                count += mark_auxiliaries(r, r->in[j]);
            }
        }
    }
    return count;
}

/* Whether an item has no options of the cells that are picked; then these become options of a cell. */
static int pick(Reading *r, const Row *row) {
    const Dive *d = r->d;
    for (int i = row->start; i < row->start + row->length; i++) {
        if (d->value[r->literal[i]] == 0 && r->cell_of[r->literal[i]] != NO_CELL) {
            return 0;
        }
    }
    for (int i = row->start; i < row->start + row->length; i++) {
        r->cell_of[r->literal[i]] = 0;
    }
    return 1;
}

/* Number the cells in the order of the constraints, which often is that of the board. */
static void number_cells(Reading *r) {
    Scan *s = r->s;
    s->cells = 0;
    for (int i = 0; i < r->items; i++) {
        const Row *row = r->row + r->item[i];
        if (r->score[i] != PICKED) {
            continue;
        }
        for (int j = row->start; j < row->start + row->length; j++) {
            r->cell_of[r->literal[j]] = s->cells;
        }
        s->cell[s->cells].row = r->item[i];
        r->state[r->item[i]] = SAFE;
        s->cells++;
    }
}

/* Pick items that share auxiliary variables with as few others as possible. Returns whether they contain all decision variables. */
static int pick_cells(Reading *r) {
    const Dive *d = r->d;
    for (int variable = 1; variable <= d->variables; variable++) {
        r->cell_of[variable] = NO_CELL;
    }
    find_pure(r);
    for (int i = 0; i < r->items; i++) {
        const Row *row = r->row + r->item[i];
        r->score[i] = count_of(r->d, row, r->literal, 1) || row->length > MOST_OPTIONS ? REJECTED : score_of(r, row);
    }
    for (;;) {
        int best = -1;
        for (int i = 0; i < r->items; i++) {
            if (r->score[i] >= 0 && (best < 0 || r->score[i] < r->score[best])) {
                best = i;
            }
        }
        if (best < 0) {
            break;
        }
        r->score[best] = pick(r, r->row + r->item[best]) ? PICKED : REJECTED;
    }
    for (int variable = 1; variable <= d->variables; variable++) {
        if (r->decides[variable] && d->value[variable] == 0 && r->cell_of[variable] == NO_CELL) {
            return 0;
        }
    }
    number_cells(r);
    return 1;
}

/* ---- the other constraints ---- */

/* Put a row into the list of its cell, or make it a resource. Returns 0 if it is neither. */
static int sort_row(Reading *r, int row_number) {
    const Row *row = r->row + row_number;
    int plain = 1;
    int undecided = 0;
    int cell = NO_CELL;
    for (int i = row->start; i < row->start + row->length; i++) {
        const int literal = r->literal[i];
        const int variable = variable_of(literal);
        if (r->d->value[variable] != 0) {
            continue;
        }
        undecided++;
        plain = plain && literal > 0 && r->decides[variable];
        if (r->decides[variable]) {
            cell = cell == NO_CELL || cell == r->cell_of[variable] ? r->cell_of[variable] : SEVERAL_CELLS;
        }
    }
    if (cell == SEVERAL_CELLS) {
        r->state[row_number] = RESOURCE;
        const int most = row->most - count_of(r->d, row, r->literal, 1);
        if (plain && most < undecided) {
            r->s->resource[r->s->resources] = (Resource){.row = row_number, .most = most};
            r->s->resources++;
        }
        return plain;
    }
    if (cell != NO_CELL) {
        r->next[row_number] = r->first[cell];
        r->first[cell] = row_number;
    }
    return 1;
}

static int sort_rows(Reading *r) {
    for (int c = 0; c < r->s->cells; c++) {
        r->first[c] = -1;
    }
    r->s->resources = 1;
    for (int i = 0; i < r->rows; i++) {
        if (is_safe(r->d, r->row + i, r->literal)) {
            r->state[i] = SAFE;
        } else if (r->state[i] == OPEN && !sort_row(r, i)) {
            return 0;
        }
    }
    return 1;
}

int scan_sort(Reading *r) {
    return pick_cells(r) && r->s->cells <= MOST_CELLS && sort_rows(r);
}
