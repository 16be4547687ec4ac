/* Counts the ways to place 36 tiles on 6×6 cells without turning them so that adjacent sides are equal: plain backtracking, row by
   row, with bit masks of the tiles for each top and left label. Reads 36 lines with the labels of top, right, bottom, left. */
#include <stdint.h>
#include <stdio.h>

enum { SIDE = 6, TILES = SIDE * SIDE, LABELS = 16 };
static int side[TILES][4], laid[TILES];
static uint64_t fits[LABELS + 1][LABELS + 1]; /* by top and left label; the last index means any label */
static unsigned long long nodes, solutions;

static void search(int cell, uint64_t left_over) {
    if (cell == TILES) { solutions++; return; }
    int top = cell < SIDE ? LABELS : side[laid[cell - SIDE]][2];
    int left = cell % SIDE ? side[laid[cell - 1]][1] : LABELS;
    for (uint64_t tiles = fits[top][left] & left_over; tiles; tiles &= tiles - 1) {
        nodes++;
        laid[cell] = __builtin_ctzll(tiles);
        search(cell + 1, left_over & ~(tiles & -tiles));
    }
}

int main(void) {
    for (int t = 0; t < TILES; t++) {
        if (scanf("%d %d %d %d", side[t], side[t] + 1, side[t] + 2, side[t] + 3) != 4) return 2;
        for (int top = 0; top <= LABELS; top++)
            for (int left = 0; left <= LABELS; left++)
                if ((top == LABELS || side[t][0] == top) && (left == LABELS || side[t][3] == left))
                    fits[top][left] |= (uint64_t)1 << t;
    }
    search(0, ((uint64_t)1 << TILES) - 1);
    printf("%llu solutions, %llu nodes\n", solutions, nodes);
    return 0;
}
