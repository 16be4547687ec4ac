/* Random depth-first search for one model of constraints, with restarts.

   Each choice is a random literal of the item with the fewest undecided literals, where an item is a constraint of which exactly
   one literal is true; unit propagation follows. The search returns to the latest choice after a failure, and starts again after
   numbers of failures in the sequence of Luby, Sinclair and Zuckerman (Optimal speedup of Las Vegas algorithms, Information
   Processing Letters 47, 1993). It learns nothing. On large puzzles with many solutions, it finds one in much less time than
   clause learning, whose choices are spread over the whole puzzle (Gomes, Selman and Kautz, Boosting combinatorial search through
   randomization, AAAI 1998). */

#include "dive/inner.h"

/* The failures before a restart are multiples of this number. */
#define FAILURES 500

static int value_of(const Dive *d, int literal) {
    return literal > 0 ? d->value[literal] : -d->value[-literal];
}

/* Make a literal true. Returns 0 if it is false. */
static int assign(Dive *d, int literal) {
    const int value = value_of(d, literal);
    if (value == 0) {
        d->value[literal > 0 ? literal : -literal] = literal > 0 ? 1 : -1;
        d->trail[d->assigned] = literal;
        d->assigned++;
    }
    return value >= 0;
}

/* Make the undecided literals of a row true (sign 1) or false (sign -1). */
static void assign_rest(Dive *d, const Row *row, int sign) {
    for (int i = row->start; i < row->start + row->length; i++) {
        if (value_of(d, d->literal[i]) == 0) {
            assign(d, sign * d->literal[i]);
        }
    }
}

/* Count a true literal of a row, and assign what this implies. Returns 0 if the row cannot be met any more. */
static int gain(Dive *d, Row *row) {
    row->yes++;
    if (row->yes == row->most && row->yes < row->length - row->no) {
        assign_rest(d, row, -1);
    }
    return row->yes <= row->most;
}

/* The same for a false literal of a row. */
static int lose(Dive *d, Row *row) {
    row->no++;
    const int possible = row->length - row->no;
    if (possible == row->least && row->yes < possible) {
        assign_rest(d, row, 1);
    }
    return possible >= row->least;
}

/* Assign everything that unit propagation implies. Returns 0 if a constraint fails. */
static int propagate(Dive *d) {
    int possible = 1;
    while (possible && d->propagated < d->assigned) {
        const int code = code_of(d->trail[d->propagated]);
        for (int i = d->implied.from[code]; i < d->implied.from[code + 1]; i++) {
            if (!assign(d, d->implied.entry[i])) {
                return 0;
            }
        }
        d->propagated++;
        d->work++;
        for (int i = d->gains.from[code]; i < d->gains.from[code + 1]; i++) {
            possible &= gain(d, d->row + d->gains.entry[i]);
        }
        for (int i = d->loses.from[code]; i < d->loses.from[code + 1]; i++) {
            possible &= lose(d, d->row + d->loses.entry[i]);
        }
    }
    return possible;
}

/* Take back all literals but the first ones. */
static void undo(Dive *d, int first) {
    while (d->assigned > first) {
        d->assigned--;
        const int literal = d->trail[d->assigned];
        d->value[literal > 0 ? literal : -literal] = 0;
        if (d->assigned >= d->propagated) {
            continue;
        }
        const int code = code_of(literal);
        for (int i = d->gains.from[code]; i < d->gains.from[code + 1]; i++) {
            d->row[d->gains.entry[i]].yes--;
        }
        for (int i = d->loses.from[code]; i < d->loses.from[code + 1]; i++) {
            d->row[d->loses.entry[i]].no--;
        }
    }
    if (d->propagated > first) {
        d->propagated = first;
    }
}

int dive_try(Dive *d, int literal) {
    return assign(d, literal) && propagate(d);
}

void dive_undo(Dive *d, int first) {
    undo(d, first);
}

void dive_begin(Dive *d) {
    d->failures = FAILURES;
    d->restarts = 1;
    for (int r = 0; r < d->rows && !d->stuck; r++) {
        const Row *row = d->row + r;
        d->stuck = row->most < 0 || row->least > row->length;
        if (!d->stuck && row->length && row->least == row->length) {
            for (int i = row->start; i < row->start + row->length && !d->stuck; i++) {
                d->stuck = !assign(d, d->literal[i]);
            }
        }
        if (!d->stuck && row->most == 0) {
            for (int i = row->start; i < row->start + row->length && !d->stuck; i++) {
                d->stuck = !assign(d, -d->literal[i]);
            }
        }
    }
    d->stuck = d->stuck || !propagate(d);
}

/* ---- choices ---- */

/* An undecided literal of a row, at random. */
static int random_literal(Dive *d, const Row *row) {
    int index = random_below(&d->random, row->length - row->no);
    int i = row->start;
    while (value_of(d, d->literal[i]) != 0 || index > 0) {
        index -= value_of(d, d->literal[i]) == 0;
        i++;
    }
    return d->literal[i];
}

/* The literal to choose; 0 if every variable is decided. */
static int next_choice(Dive *d) {
    const Row *best = NULL;
    int least = INT_MAX;
    int equal = 0;
    for (int i = 0; i < d->items; i++) {
        const Row *row = d->row + d->item[i];
        const int left = row->length - row->no;
        if (row->yes || left > least) {
            continue;
        }
        equal = left < least ? 1 : equal + 1;
        least = left;
        if (random_below(&d->random, equal) == 0) {
            best = row;
        }
    }
    if (best) {
        return random_literal(d, best);
    }
    for (int variable = 1; variable <= d->variables; variable++) {
        if (d->value[variable] == 0) {
            return -variable;
        }
    }
    return 0;
}

/* The number of failures before a restart, in multiples of FAILURES: 1, 1, 2, 1, 1, 2, 4, 1, … */
static uint64_t luby(uint64_t i) {
    for (;;) {
        uint64_t length = 1;
        while (length < i) {
            length = 2 * length + 1;
        }
        if (length == i) {
            return (length + 1) / 2;
        }
        i -= length / 2;
    }
}

/* Return to the latest choice, of which the opposite follows, as often as this fails at once. */
static void backtrack(Dive *d) {
    int possible = 0;
    while (!possible && d->depth) {
        d->depth--;
        undo(d, d->before[d->depth]);
        possible = assign(d, -d->chosen[d->depth]) && propagate(d);
        d->failures -= d->failures > 0;
    }
    d->stuck = !possible;
}

static void restart(Dive *d) {
    if (d->depth) {
        undo(d, d->before[0]);
        d->depth = 0;
    }
    d->restarts++;
    d->failures = FAILURES * luby(d->restarts);
}

DiveState dive_step(Dive *d, uint64_t work) {
    const uint64_t end = d->work + work;
    while (!d->stuck && d->work < end) {
        const int literal = next_choice(d);
        if (!literal) {
            return DIVE_FOUND;
        }
        d->chosen[d->depth] = literal;
        d->before[d->depth] = d->assigned;
        d->depth++;
        assign(d, literal);
        if (!propagate(d)) {
            backtrack(d);
            if (!d->failures && !d->stuck) {
                restart(d);
            }
        }
    }
    return d->stuck ? DIVE_NONE : DIVE_WORKING;
}

int dive_value(const Dive *d, int variable) {
    return d->value[variable] > 0;
}
