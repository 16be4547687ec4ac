/* What the tests of the searches for exact covers share: problems that are built set by set, and brute force. */

#ifndef JIGSAT_TEST_SUPPORT_H
#define JIGSAT_TEST_SUPPORT_H

#include "checks.h"

/* ---- building a problem ---- */

enum { SETS = 4096, NUMBERS = 1 << 16 };

/* A problem with its arrays. First add the options with their literals, then the items, then the bounds. */
typedef struct {
    Problem problem;
    int set_start[SETS], set_number[NUMBERS];
    int literal_start[SETS], literal_number[NUMBERS];
    int least[SETS], most[SETS];
} Builder;

static void begin(Builder *b) {
    b->problem = (Problem){
        .sets = {b->set_start, b->set_number},
        .literals = {b->literal_start, b->literal_number},
        .least = b->least,
        .most = b->most,
    };
    b->set_start[0] = 0;
    b->literal_start[0] = 0;
}

static int add_option(Builder *b) {
    const int option = b->problem.options++;
    b->literal_start[option + 1] = b->literal_start[option];
    return option;
}

/* To the option added last. */
static void add_literal(Builder *b, int literal) {
    b->literal_number[b->literal_start[b->problem.options]++] = literal;
}

/* A set that is empty so far. */
static void add_item(Builder *b) {
    const int set = b->problem.items++;
    b->set_start[set + 1] = b->set_start[set];
}

static void add_bound(Builder *b, int least, int most) {
    const int set = b->problem.items + b->problem.bounds;
    b->least[b->problem.bounds] = least;
    b->most[b->problem.bounds] = most;
    b->problem.bounds++;
    b->set_start[set + 1] = b->set_start[set];
}

/* To the set added last. */
static void add_member(Builder *b, int option) {
    b->set_number[b->set_start[b->problem.items + b->problem.bounds]++] = option;
}

/* ---- random problems, and brute force ---- */

static uint64_t random_state = 1;

/* A number below `limit` (Marsaglia's xorshift). */
static int draw(int limit) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)(random_state % (uint64_t)limit);
}

/* Up to 12 options, 5 items, 3 bounds, and literals in some. With `repeated`, bounds name some options several times. */
static void draw_problem(Builder *b, int repeated) {
    begin(b);
    const int options = draw(13);
    const int variables = draw(4) ? 1 + draw(6) : 0;
    for (int o = 0; o < options; o++) {
        add_option(b);
        for (int i = variables ? draw(3) : 0; i > 0; i--) {
            add_literal(b, (draw(2) ? 1 : -1) * (draw(8) ? 1 + draw(variables) : LARGEST_LITERAL - draw(2)));
        }
    }
    for (int i = draw(6); i > 0; i--) {
        add_item(b);
        const int density = 1 + draw(4);
        for (int o = 0; o < options; o++) {
            if (draw(density) == 0) {
                add_member(b, o);
            }
        }
    }
    for (int i = draw(2) ? draw(4) : 0; i > 0; i--) {
        const int least = draw(3);
        add_bound(b, draw(2) ? 0 : least, least + draw(3));
        for (int o = 0; o < options; o++) {
            for (int times = repeated ? draw(4) : draw(2); times > 0; times--) {
                add_member(b, o);
            }
        }
    }
}

/* How many of the chosen options, given as bits, are in a set, each as often as it is named. */
static int chosen_of(const Problem *p, int set, unsigned chosen) {
    int count = 0;
    for (int j = p->sets.start[set]; j < p->sets.start[set + 1]; j++) {
        count += (int)(chosen >> p->sets.number[j] & 1);
    }
    return count;
}

static int conflict(const Problem *p, int one, int other) {
    for (int i = p->literals.start[one]; i < p->literals.start[one + 1]; i++) {
        for (int j = p->literals.start[other]; j < p->literals.start[other + 1]; j++) {
            if (p->literals.number[i] == -p->literals.number[j]) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether the chosen options are a solution, by the definition alone. */
static int is_solution(const Problem *p, unsigned chosen) {
    for (int i = 0; i < p->items; i++) {
        if (chosen_of(p, i, chosen) != 1) {
            return 0;
        }
    }
    for (int i = 0; i < p->bounds; i++) {
        const int count = chosen_of(p, p->items + i, chosen);
        if (count < p->least[i] || count > p->most[i]) {
            return 0;
        }
    }
    unsigned in_items = 0;
    for (int j = 0; j < p->sets.start[p->items]; j++) {
        in_items |= 1u << p->sets.number[j];
    }
    if (chosen & ~in_items) {
        return 0;
    }
    for (int one = 0; one < p->options; one++) {
        for (int other = one + 1; other < p->options; other++) {
            if (chosen >> one & chosen >> other & 1 && conflict(p, one, other)) {
                return 0;
            }
        }
    }
    return 1;
}

/* ---- problems with known numbers of solutions ---- */

/* Dominoes on a board. */
static void dominoes(Builder *b, int rows, int columns) {
    begin(b);
    const int across = rows * (columns - 1);
    for (int o = 0; o < across + (rows - 1) * columns; o++) {
        add_option(b);
    }
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            add_item(b);
            if (c > 0) {
                add_member(b, r * (columns - 1) + c - 1);
            }
            if (c < columns - 1) {
                add_member(b, r * (columns - 1) + c);
            }
            if (r > 0) {
                add_member(b, across + (r - 1) * columns + c);
            }
            if (r < rows - 1) {
                add_member(b, across + r * columns + c);
            }
        }
    }
}

/* Latin squares: option (row * n + column) * n + value. */
static inline void latin_squares(Builder *b, int n) {
    begin(b);
    for (int o = 0; o < n * n * n; o++) {
        add_option(b);
    }
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < n * n; i++) {
            add_item(b);
            for (int j = 0; j < n; j++) {
                const int options[] = {i * n + j, i / n * n * n + j * n + i % n, j * n * n + i};
                add_member(b, options[kind]);
            }
        }
    }
}

/* Queens: an item for each row and column, a bound for each diagonal. */
static void queens(Builder *b, int n) {
    begin(b);
    for (int o = 0; o < n * n; o++) {
        add_option(b);
    }
    for (int i = 0; i < 2 * n; i++) {
        add_item(b);
        for (int j = 0; j < n; j++) {
            add_member(b, i < n ? i * n + j : j * n + i - n);
        }
    }
    for (int direction = 0; direction < 2; direction++) {
        for (int d = 0; d < 2 * n - 1; d++) {
            add_bound(b, 0, 1);
            for (int r = 0; r < n; r++) {
                const int c = direction ? d - r : r + d - (n - 1);
                if (c >= 0 && c < n) {
                    add_member(b, r * n + c);
                }
            }
        }
    }
}

/* Colourings of a cycle: an item for each vertex; the ends of each edge conflict in equal colours. */
static inline void colourings(Builder *b, int vertices, int colours) {
    begin(b);
    for (int v = 0; v < vertices; v++) {
        const int next = (v + 1) % vertices;
        for (int c = 0; c < colours; c++) {
            add_option(b);
            add_literal(b, v * colours + c + 1);
            add_literal(b, -(next * colours + c + 1));
        }
    }
    for (int v = 0; v < vertices; v++) {
        add_item(b);
        for (int c = 0; c < colours; c++) {
            add_member(b, v * colours + c);
        }
    }
}

/* ---- pentominoes: pieces are 25 bits, a 5 x 5 square row by row ---- */

static unsigned in_corner(unsigned cells) {
    while (!(cells & 0x1f)) {
        cells >>= 5;
    }
    while (!(cells & 0x108421)) {
        cells >>= 1;
    }
    return cells;
}

/* Turned by a quarter, or mirrored. */
static unsigned moved(unsigned cells, int mirror) {
    unsigned result = 0;
    for (int i = 0; i < 25; i++) {
        const int r = i / 5;
        const int c = i % 5;
        if (cells >> i & 1) {
            result |= 1u << (mirror ? r * 5 + 4 - c : c * 5 + 4 - r);
        }
    }
    return in_corner(result);
}

/* The different ways in which a piece can lie; returns their number. */
static int ways_to_lie(unsigned cells, unsigned *ways) {
    int number = 0;
    for (int i = 0; i < 8; i++) {
        int known = 0;
        for (int j = 0; j < number; j++) {
            known |= ways[j] == cells;
        }
        if (!known) {
            ways[number++] = cells;
        }
        cells = moved(cells, i == 3);
    }
    return number;
}

/* Where cell k of a piece is on the board when the piece lies at (row, column); -1 if outside. */
static int cell_at(int k, int row, int column, int rows, int columns) {
    const int r = row + k / 5;
    const int c = column + k % 5;
    return r < rows && c < columns ? r * columns + c : -1;
}

static int lies_within(unsigned cells, int row, int column, int rows, int columns) {
    for (int k = 0; k < 25; k++) {
        if (cells >> k & 1 && cell_at(k, row, column, rows, columns) < 0) {
            return 0;
        }
    }
    return 1;
}

/* All twelve pentominoes, each used once, on a board of 60 cells. */
static inline void pentominoes(Builder *b, int rows, int columns) {
    static const char *const drawn[12] = { /* F I L N P T U V W X Y Z, in rows of five */
        ".##..##....#", "#####", "####.#", "##....###", "##...##...#", "###...#....#",
        "#.#..###", "#....#....###", "#....##....##", ".#...###...#", "####..#", "##....#....##",
    };
    static unsigned char covers[SETS][72];
    int options = 0;
    for (int piece = 0; piece < 12; piece++) {
        unsigned cells = 0;
        for (int k = 0; drawn[piece][k]; k++) {
            cells |= (unsigned)(drawn[piece][k] == '#') << k;
        }
        unsigned ways[8];
        const int number = ways_to_lie(in_corner(cells), ways);
        for (int i = 0; i < number * rows * columns; i++) {
            const unsigned way = ways[i / (rows * columns)];
            const int row = i / columns % rows;
            const int column = i % columns;
            if (!lies_within(way, row, column, rows, columns)) {
                continue;
            }
            for (int k = 0; k < 25; k++) {
                if (way >> k & 1) {
                    covers[options][cell_at(k, row, column, rows, columns)] = 1;
                }
            }
            covers[options][60 + piece] = 1;
            options++;
        }
    }
    begin(b);
    for (int o = 0; o < options; o++) {
        add_option(b);
    }
    for (int i = 0; i < 72; i++) {
        add_item(b);
        for (int o = 0; o < options; o++) {
            if (covers[o][i]) {
                add_member(b, o);
            }
        }
    }
}

#endif
