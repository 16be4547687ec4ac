/* Counts the fillings of a board with square tiles by plain backtracking, row by row. Reads a list of pieces as `jigsat export
   --format pieces` writes it: rows and columns, then the labels of each tile up, right, down and left. The words after the name
   of the program are `turn` (tiles may be turned), `frame` (label 0 is on the rim and nowhere else) and `corner` (one corner tile
   lies in the first cell, so that fillings are counted up to rotation) and `equal` (equal tiles are not distinguished). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TILES = 64, LABELS = 32, ANY = LABELS };
typedef struct { signed char right, down; } Way; /* the labels that a tile shows to the next cells */

static int rows, columns, framed, tiles[MOST_TILES][4], left_over[MOST_TILES]; /* of each kind of tile, by its first one */
static uint64_t fits[LABELS + 1][LABELS + 1];                                  /* the kinds that fit a top and a left label */
static Way ways[LABELS + 1][LABELS + 1][MOST_TILES][4], laid[MOST_TILES];
static char number[LABELS + 1][LABELS + 1][MOST_TILES]; /* of the ways */
static unsigned long long nodes, solutions;

static void search(int cell, uint64_t left) {
    if (cell == rows * columns) { solutions++; return; }
    int row = cell / columns, column = cell % columns, rim = framed ? 0 : ANY;
    int top = row ? laid[cell - columns].down : rim, beside = column ? laid[cell - 1].right : rim;
    for (uint64_t kinds = fits[top][beside] & left; kinds; kinds &= kinds - 1) {
        int kind = __builtin_ctzll(kinds);
        uint64_t rest = --left_over[kind] ? left : left & ~(kinds & -kinds);
        for (int i = 0; i < number[top][beside][kind]; i++) {
            Way way = ways[top][beside][kind][i];
            if (framed && ((way.right == 0) != (column == columns - 1) || (way.down == 0) != (row == rows - 1))) continue;
            nodes++;
            laid[cell] = way;
            search(cell + 1, rest);
        }
        left_over[kind]++;
    }
}

static void add(int top, int beside, int kind, Way way) {
    fits[top][beside] |= (uint64_t)1 << kind;
    ways[top][beside][kind][(int)number[top][beside][kind]++] = way;
}

static int kind_of(int tile, int turns) {
    for (int t = 0; t < tile; t++)
        for (int turn = 0; turn < turns; turn++) {
            int equal = 1;
            for (int i = 0; i < 4; i++) equal &= tiles[t][(i + turn) % 4] == tiles[tile][i];
            if (equal) return t;
        }
    return tile;
}

int main(int argc, char **argv) {
    int turns = 1, corner = 0, equal = 0, fixed = -1;
    uint64_t all = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "turn")) turns = 4;
        framed |= !strcmp(argv[i], "frame");
        corner |= !strcmp(argv[i], "corner");
        equal |= !strcmp(argv[i], "equal");
    }
    if (scanf("%d,%d", &rows, &columns) != 2 || rows < 1 || columns < 1 || rows > MOST_TILES / columns) return 2;
    for (int t = 0; t < rows * columns; t++) {
        int *side = tiles[t];
        if (scanf("%d,%d,%d,%d", side, side + 1, side + 2, side + 3) != 4) return 2;
        for (int i = 0; i < 4; i++)
            if (side[i] < 0 || side[i] >= LABELS) return 2;
        int kind = equal ? kind_of(t, turns) : t;
        left_over[kind]++;
        all |= (uint64_t)1 << kind;
        for (int i = 0; i < 4; i++)
            if (corner && fixed < 0 && !side[i] && !side[(i + 1) % 4]) fixed = kind;
    }
    for (int t = 0; t < rows * columns; t++)
        for (int turn = 0; left_over[t] && turn < turns; turn++) {
            const int *side = tiles[t];
            int top = side[turn], right = side[(1 + turn) % 4], down = side[(2 + turn) % 4], beside = side[(3 + turn) % 4];
            if (turn && top == side[0] && right == side[1] && down == side[2] && beside == side[3]) break; /* as before */
            if (fixed >= 0 && (t == fixed) != (!top && !beside)) continue; /* the fixed tile, and no other, in the first cell */
            for (int any = 0; any < (framed ? 1 : 4); any++)
                add(any & 1 ? ANY : top, any & 2 ? ANY : beside, t, (Way){right, down});
        }
    search(0, all);
    printf("%llu solutions, %llu nodes\n", solutions, nodes);
    return 0;
}
