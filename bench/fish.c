/* Counts the fillings of a board with square tiles by plain backtracking, row by row. Reads a list of pieces as `jigsat export
   --format pieces` writes it: rows and columns, then the labels of each tile up, right, down and left. The words after the name
   of the program are `turn` (tiles may be turned), `frame` (label 0 is on the rim and nowhere else) and `corner` (one corner tile
   lies in the first cell, so that fillings are counted up to rotation) and `equal` (equal tiles are not distinguished). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TILES = 256, LABELS = 64, ANY = LABELS };
typedef struct { short tile, right, down; } Way;

static int rows, columns, framed, tiles[MOST_TILES][4];
static Way *ways[LABELS + 1][LABELS + 1]; /* by top and left label; a list ends with a negative tile */
static int left_over[MOST_TILES]; /* of each kind, by its first tile */
static Way laid[MOST_TILES];
static unsigned long long nodes, solutions;

static void add(Way **list, Way way) {
    int length = 0;
    while (*list && (*list)[length].tile >= 0) length++;
    *list = realloc(*list, (length + 2) * sizeof(Way));
    (*list)[length] = way;
    (*list)[length + 1].tile = -1;
}

static void search(int cell) {
    if (cell == rows * columns) { solutions++; return; }
    int row = cell / columns, column = cell % columns, rim = framed ? 0 : ANY;
    int top = row ? laid[cell - columns].down : rim, left = column ? laid[cell - 1].right : rim;
    const Way *way = ways[top][left];
    for (; way && way->tile >= 0; way++) {
        if (!left_over[way->tile] || (framed && ((way->right == 0) != (column == columns - 1) || (way->down == 0) != (row == rows - 1))))
            continue;
        nodes++;
        left_over[way->tile]--;
        laid[cell] = *way;
        search(cell + 1);
        left_over[way->tile]++;
    }
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
    int turning = 0, corner = 0, equal = 0, fixed = -1;
    for (int i = 1; i < argc; i++) {
        turning |= !strcmp(argv[i], "turn");
        framed |= !strcmp(argv[i], "frame");
        corner |= !strcmp(argv[i], "corner");
        equal |= !strcmp(argv[i], "equal");
    }
    if (scanf("%d,%d", &rows, &columns) != 2 || rows < 1 || columns < 1 || rows * columns > MOST_TILES) return 2;
    for (int t = 0; t < rows * columns; t++) {
        int *side = tiles[t];
        if (scanf("%d,%d,%d,%d", side, side + 1, side + 2, side + 3) != 4) return 2;
        for (int i = 0; i < 4; i++) {
            if (side[i] < 0 || side[i] >= LABELS) return 2;
        }
        int kind = equal ? kind_of(t, turning ? 4 : 1) : t;
        left_over[kind]++;
        for (int i = 0; i < 4; i++)
            if (corner && fixed < 0 && !side[i] && !side[(i + 1) % 4]) fixed = kind;
    }
    for (int t = 0; t < rows * columns; t++)
        for (int turn = 0; left_over[t] && turn < (turning ? 4 : 1); turn++) {
            const int *side = tiles[t];
            int top = side[turn], right = side[(1 + turn) % 4], down = side[(2 + turn) % 4], left = side[(3 + turn) % 4];
            if (turn == 2 && top == side[0] && right == side[1]) break; /* it looks as before */
            if (turn && top == side[0] && top == right && right == down && down == left) break;
            if (t == fixed && (top || left)) continue;
            if (fixed >= 0 && t != fixed && !top && !left) continue; /* another tile in the first cell */
            for (int any = 0; any < 4; any++)
                if (!framed || !any) add(&ways[any & 1 ? ANY : top][any & 2 ? ANY : left], (Way){t, right, down});
        }
    search(0);
    printf("%llu solutions, %llu nodes\n", solutions, nodes);
    return 0;
}
