/* Tests of the search in a fixed order, to be compiled with sanitizers: `make sanitize`. */

#include "checks.h"
#include "scan/best.h"
#include "scan/scan.h"

enum { N = 3, TILES = N * N, LABELS = 2, EDGES = 2 * N * (N - 1), PLACES = TILES * TILES, SPACE = 1 << 13 };

static int numbers[SPACE], count, decisions[PLACES];
static int lowest; /* tiles from this number on belong to the last row */

static void put(int number) {
    CHECK(count < SPACE);
    numbers[count] = number;
    count++;
}

static void put_exactly_one(void) {
    put(-1);
    put(TILES);
    put(1);
    put(1);
}

static void put_clause(int one, int other) {
    put(2);
    put(1);
    put(one);
    put(other);
}

static int place(int cell, int tile) {
    return 1 + cell * TILES + tile;
}

static int label(int edge, int value) {
    return 1 + PLACES + edge * LABELS + value;
}

/* Tiles have the labels of their right and left sides in the bits of their numbers; the upper side has label 0, the lower one
   label 1 if the tile belongs to the last row. The last two tiles are alike. */
static int side(int tile, int direction) {
    const int known = tile == TILES - 1 ? tile - 1 : tile;
    return direction == 0 ? known & 1 : direction == 1 ? known >> 1 & 1 : direction == 2 ? tile >= lowest : 0;
}

static void put_edge(int edge, int one, int here, int other, int there) {
    put(-1);
    put(LABELS);
    put(1);
    put(1);
    for (int value = 0; value < LABELS; value++) {
        put(label(edge, value));
    }
    for (int tile = 0; tile < TILES; tile++) {
        put_clause(-place(one, tile), label(edge, side(tile, here)));
        put_clause(-place(other, tile), label(edge, side(tile, there)));
    }
}

static void board(void) {
    count = 0;
    for (int i = 0; i < PLACES; i++) {
        decisions[i] = i + 1;
    }
    for (int cell = 0; cell < TILES; cell++) {
        put_exactly_one();
        for (int tile = 0; tile < TILES; tile++) {
            put(place(cell, tile));
        }
    }
    for (int tile = 0; tile < TILES; tile++) {
        put_exactly_one();
        for (int cell = 0; cell < TILES; cell++) {
            put(place(cell, tile));
        }
    }
    int edge = 0;
    for (int cell = 0; cell < TILES; cell++) {
        if (cell % N < N - 1) {
            put_edge(edge++, cell, 0, cell + 1, 1);
        }
        if (cell + N < TILES) {
            put_edge(edge++, cell, 2, cell + N, 3);
        }
    }
    CHECK(edge == EDGES);
}

static Scan *new_scan(EngineStatus *status) {
    return scan_new(PLACES + EDGES * LABELS, numbers, count, decisions, PLACES, status);
}

/* Whether the model puts each tile into one cell so that labels are equal. */
static int is_right(const Scan *scan) {
    int tile_of[TILES];
    int used[TILES] = {0};
    int right = scan_number(scan) == TILES;
    for (int i = 0; i < TILES && right; i++) {
        const int option = scan_options(scan)[i] - 1;
        tile_of[option / TILES] = option % TILES;
        used[option % TILES]++;
    }
    for (int i = 0; i < TILES && right; i++) {
        right = used[i] == 1 && (i % N == 0 || side(tile_of[i - 1], 0) == side(tile_of[i], 1));
    }
    return right;
}

/* The number of models by trying all permutations row by row: rows of three tiles that fit, with different tiles. */
static int permutations(int *tile_of, int cell) {
    int found = cell == TILES;
    for (int tile = 0; tile < TILES && cell < TILES; tile++) {
        int fits = cell % N == 0 || side(tile_of[cell - 1], 0) == side(tile, 1);
        fits = fits && (tile < lowest || cell >= TILES - N);
        for (int i = 0; i < cell; i++) {
            fits = fits && tile_of[i] != tile;
        }
        if (fits) {
            tile_of[cell] = tile;
            found += permutations(tile_of, cell + 1);
        }
    }
    return found;
}

static void test_board(uint64_t nodes) {
    EngineStatus status;
    board();
    Scan *scan = new_scan(&status);
    CHECK(scan && status == ENGINE_OK && scan_suits(scan));
    int found = 0;
    ScanState state = SCAN_WORKING;
    double progress = 0;
    while (scan && state != SCAN_DONE) {
        state = scan_step(scan, nodes);
        found += state == SCAN_FOUND;
        CHECK(state != SCAN_FOUND || is_right(scan));
        CHECK(scan_progress(scan) >= progress - 1e-9 && scan_progress(scan) <= 1);
        progress = scan_progress(scan);
    }
    int tile_of[TILES];
    CHECK(found == permutations(tile_of, 0));
    CHECK(scan && scan_step(scan, 1) == SCAN_DONE && scan_nodes(scan) > 0);
    scan_free(scan);
}

/* The number of models, found while each step gives up options, which other searches then choose. */
static int models_in_parts(long *parts) {
    EngineStatus status;
    Scan *scan = new_scan(&status);
    int path[PLACES], released[PLACES], levels;
    int found = 0;
    const int before = count;
    ScanState state = SCAN_WORKING;
    while (scan && state != SCAN_DONE) {
        state = scan_step(scan, 1);
        found += state == SCAN_FOUND;
        CHECK(state != SCAN_FOUND || is_right(scan));
        const int number = scan_release(scan, path, &levels, released);
        for (int i = 0; i < number; i++) {
            int size;
            const int *item = scan_item(scan, levels - 1, &size);
            CHECK(size == TILES && (item[0] - 1) / TILES == (released[i] - 1) / TILES && path[levels - 1] != released[i]);
            for (int level = 0; level < levels; level++) {
                put(1);
                put(1);
                put(level < levels - 1 ? path[level] : released[i]);
            }
            found += models_in_parts(parts);
            count = before;
            ++*parts;
        }
    }
    scan_free(scan);
    return found;
}

static void test_parts(void) {
    int tile_of[TILES];
    long parts = 0;
    lowest = TILES - N; /* so that some tiles differ from all others */
    board();
    CHECK(models_in_parts(&parts) == permutations(tile_of, 0));
#ifdef MOST_ENTRIES
    CHECK(parts > 0); /* there are several levels */
#endif
    lowest = TILES;
}

/* The mean of many estimates is about the number of nodes. */
static void test_estimates(void) {
    EngineStatus status;
    board();
    Scan *scan = new_scan(&status);
    uint64_t random = 1;
    double nodes = 0;
    for (int i = 0; scan && i < 20000; i++) {
        nodes += scan_probe(scan, &random) / 20000;
    }
    CHECK(scan && scan_nodes(scan) == 0);
    while (scan && scan_step(scan, 1 << 30) != SCAN_DONE) {
    }
    CHECK(scan && nodes > 0.9 * (double)scan_nodes(scan) && nodes < 1.1 * (double)scan_nodes(scan));
    scan_free(scan);
}

static void test_memory_runs_out(void) {
    board();
    EngineStatus status = ENGINE_NO_MEMORY;
    for (long left = 0; status == ENGINE_NO_MEMORY; left++) {
        allocations_left = left;
        Scan *scan = new_scan(&status);
        CHECK((scan != NULL) == (status == ENGINE_OK));
        scan_free(scan);
    }
    CHECK(status == ENGINE_OK);
    allocations_left = -1;
}

static void test_other_constraints(void) {
    EngineStatus status;
    board();
    put_clause(-place(0, 0), -place(4, 1)); /* not about labels, and two literals are false */
    Scan *scan = new_scan(&status);
    CHECK(scan && !scan_suits(scan));
    scan_free(scan);
    board();
    put(0);
    put(1);
    scan = new_scan(&status);
    CHECK(scan && scan_suits(scan) && scan_step(scan, 1) == SCAN_DONE);
    scan_free(scan);
    put(-1);
    CHECK(!new_scan(&status) && status == ENGINE_OUT_OF_RANGE);
}

/* The edges on which the labels of a filling differ; -1 if not each tile has its own cell. */
static int breaks_of(const Best *best) {
    int tile_of[TILES];
    int used[TILES] = {0};
    int broken = 0;
    for (int i = 0; i < best_number(best); i++) {
        const int option = best_options(best)[i] - 1;
        tile_of[option / TILES] = option % TILES;
        if (used[option % TILES]++) {
            return -1;
        }
    }
    for (int cell = 0; cell < TILES; cell++) {
        broken += cell % N && side(tile_of[cell - 1], 0) != side(tile_of[cell], 1);
        broken += cell >= N && side(tile_of[cell - N], 2) != side(tile_of[cell], 3);
    }
    return best_number(best) == TILES ? broken : -1;
}

/* Below each tile from `from` on, an edge breaks; the last row has room for three of them. */
static void test_best(int from, int expected) {
    EngineStatus status;
    lowest = from;
    board();
    Scan *scan = new_scan(&status);
    Best *best = NULL;
    for (long left = 0; scan && !best; left++) {
        allocations_left = left;
        best = best_new(scan, 1);
    }
    allocations_left = -1;
    int breaks = EDGES + 1;
    for (int i = 0; best && i < 1000; i++) {
        if (best_step(best, 1000)) {
            CHECK(best_breaks(best) < breaks && best_breaks(best) == breaks_of(best));
            breaks = best_breaks(best);
        }
    }
    CHECK(best && breaks == expected);
    best_free(best);
    scan_free(scan);
    lowest = TILES;
}

int main(void) {
    lowest = TILES;
    test_board(1 << 30);
    test_board(1000);
    test_parts();
    test_estimates();
    test_memory_runs_out();
    test_other_constraints();
    test_best(TILES, 0);
    test_best(0, TILES - N);
    CHECK(in_use == 0);
    printf("scan: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
