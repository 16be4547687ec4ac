/* Tests of the search for fills, to be compiled with sanitizers: `make sanitize`. */

#include "checks.h"
#include "fill/fill.h"

enum { SLOTS = 8, N = 4, LETTERS = 3, WORDS = 81 };

static int cell_start[SLOTS + 1], cell[SLOTS * N], given_start[N * N + 1], given[N * N];
static int letter_start[WORDS + 2], letter[WORDS * N + N], score[WORDS + 1], preferred_start[SLOTS + 1], preferred[SLOTS];

/* A square of four rows and columns, the words of four of the first `letters`, and one word that fits nowhere. */
static Grid square(int letters) {
    Grid grid = {SLOTS, N * N, 0, {cell_start, cell}, {given_start, given}, {letter_start, letter}, score, 1};
    for (int i = 0; i < SLOTS * N; i++) {
        const int line = i / N;
        cell[i] = line < N ? i : i % N * N + line - N;
        cell_start[line + 1] = i + 1;
    }
    for (int word = 0; word < WORDS; word++) {
        int rest = word;
        for (int i = 0; i < N; i++) {
            letter[grid.words * N + i] = 'A' + rest % LETTERS;
            rest /= LETTERS;
        }
        int fits = 1;
        for (int i = 0; i < N; i++) {
            fits &= letter[grid.words * N + i] < 'A' + letters;
        }
        if (fits) {
            grid.words++;
            letter_start[grid.words] = grid.words * N;
        }
    }
    grid.words++;
    letter_start[grid.words] = letter_start[grid.words - 1] + 1;
    letter[letter_start[grid.words - 1]] = 'A';
    return grid;
}

static const Lists none = {preferred_start, preferred};

static void check_fill(const Fill *fill) {
    int word[SLOTS];
    int held[N * N];
    fill_words(fill, word);
    for (int i = 0; i < N * N; i++) {
        held[i] = -1;
    }
    for (int s = 0; s < SLOTS; s++) {
        for (int i = 0; i < N; i++) {
            const int there = cell[s * N + i];
            const int x = letter[word[s] * N + i];
            CHECK(held[there] < 0 || held[there] == x);
            held[there] = x;
        }
        for (int other = 0; other < s; other++) {
            CHECK(word[s] != word[other]);
        }
    }
}

static void test_square(void) {
    EngineStatus status;
    const Grid grid = square(LETTERS);
    Fill *fill = fill_new(&grid, &status);
    CHECK(fill && status == ENGINE_OK);
    int numbers[WORDS + 1];
    CHECK(fill && fill_candidates(fill, 0, numbers) == WORDS);
    for (int word = 0; fill && word < WORDS; word++) {
        const FillState state = fill_search(fill, word % SLOTS, word, &none, 100000);
        CHECK(state == FILL_FOUND);
        check_fill(fill);
    }
    CHECK(fill && fill_search(fill, 0, WORDS, &none, 1000) == FILL_NONE); /* too short */
    CHECK(fill && fill_search(fill, -1, 0, &none, 1) == FILL_LIMITED && fill_tried(fill) == 1);
    fill_free(fill);
}

/* Eight different words of four letters that are all the same do not exist. */
static void test_no_fill(void) {
    EngineStatus status;
    const Grid grid = square(1);
    Fill *fill = fill_new(&grid, &status);
    CHECK(fill && fill_search(fill, -1, 0, &none, 10) == FILL_NONE);
    CHECK(fill && fill_search(fill, 0, 0, &none, 10) == FILL_NONE);
    fill_free(fill);
}

static void test_memory_runs_out(void) {
    EngineStatus status = ENGINE_NO_MEMORY;
    const Grid grid = square(LETTERS);
    for (long left = 0; status == ENGINE_NO_MEMORY; left++) {
        allocations_left = left;
        Fill *fill = fill_new(&grid, &status);
        CHECK((fill != NULL) == (status == ENGINE_OK));
        fill_free(fill);
    }
    CHECK(status == ENGINE_OK);
    allocations_left = -1;
}

static void test_wrong_grids(void) {
    EngineStatus status;
    Grid grid = square(LETTERS);
    letter[0] = -1;
    CHECK(!fill_new(&grid, &status) && status == ENGINE_OUT_OF_RANGE);
    letter[0] = LARGEST_LETTER + 1;
    CHECK(!fill_new(&grid, &status) && status == ENGINE_OUT_OF_RANGE);
    grid = square(LETTERS);
    cell[0] = N * N;
    CHECK(!fill_new(&grid, &status) && status == ENGINE_OUT_OF_RANGE);
    cell[0] = 1;
    CHECK(!fill_new(&grid, &status) && status == ENGINE_NOT_ASCENDING);
    grid = square(LETTERS);
    for (int i = 0; i < N; i++) {
        cell[N + i] = i; /* two rows are the same, so that a column is the third slot of a cell */
    }
    CHECK(!fill_new(&grid, &status) && status == ENGINE_OUT_OF_RANGE);
    grid = square(LETTERS);
    grid.slots = -1;
    CHECK(!fill_new(&grid, &status) && status == ENGINE_OUT_OF_RANGE);
    grid.slots = INT_MAX;
    CHECK(!fill_new(&grid, &status) && status == ENGINE_TOO_LARGE);
}

int main(void) {
    test_square();
    test_no_fill();
    test_memory_runs_out();
    test_wrong_grids();
    CHECK(in_use == 0);
    printf("fill: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
