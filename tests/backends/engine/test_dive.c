/* Tests of the random search, to be compiled with sanitizers: `make sanitize`. */

#include "checks.h"
#include "dive/dive.h"

enum { N = 8, SPACE = 1 << 16 };

static int numbers[SPACE], count, decisions[N * N];

static void put(int number) {
    CHECK(count < SPACE);
    numbers[count] = number;
    count++;
}

static void put_bounds(int length, int least, int most) {
    put(-1);
    put(length);
    put(least);
    put(most);
}

static int at(int row, int column) {
    return row * N + column + 1;
}

/* n queens on n columns of n rows, of which the first `rows` need one each. */
static void queens(int rows) {
    count = 0;
    for (int i = 0; i < N * N; i++) {
        decisions[i] = i + 1;
    }
    for (int i = 0; i < N; i++) {
        put_bounds(N, i < rows, 1);
        for (int j = 0; j < N; j++) {
            put(at(i, j));
        }
        put_bounds(N, 1, 1);
        for (int j = 0; j < N; j++) {
            put(at(j, i));
        }
    }
    for (int a = 0; a < N * N; a++) {
        for (int b = 0; b < a; b++) {
            if (abs(a / N - b / N) == abs(a % N - b % N)) {
                put(2);
                put(1);
                put(-a - 1);
                put(-b - 1);
            }
        }
    }
}

static DiveState run(Dive *dive, uint64_t work) {
    DiveState state = DIVE_WORKING;
    for (int i = 0; i < 100000 && state == DIVE_WORKING; i++) {
        state = dive_step(dive, work);
    }
    return state;
}

static void test_queens(uint64_t work) {
    EngineStatus status;
    queens(N);
    Dive *dive = dive_new(N * N, numbers, count, decisions, N * N, &status);
    CHECK(dive && status == ENGINE_OK);
    CHECK(dive && run(dive, work) == DIVE_FOUND);
    int there = 0;
    for (int a = 0; dive && a < N * N; a++) {
        there += dive_value(dive, a + 1);
        for (int b = 0; b < a; b++) {
            const int down = a / N - b / N;
            const int across = abs(a % N - b % N);
            CHECK(!dive_value(dive, a + 1) || !dive_value(dive, b + 1) || (down && across && down != across));
        }
    }
    CHECK(there == N);
    dive_free(dive);
}

static void test_no_model(void) {
    EngineStatus status;
    queens(N);
    put_bounds(3, 3, 3); /* three queens that attack each other */
    put(at(0, 0));
    put(at(1, 1));
    put(at(2, 2));
    Dive *dive = dive_new(N * N, numbers, count, decisions, N * N, &status);
    CHECK(dive && run(dive, 100) == DIVE_NONE);
    dive_free(dive);
}

/* Clauses of two literals: one twice, an implication, a tautology, and an implication from a choice that fails. */
static void test_pairs(void) {
    EngineStatus status;
    const int pairs[] = {2, 5, 1, 1, -1, 2, 3, -3, -4, 5, -4, -5};
    const int one[] = {1};
    Dive *dive = dive_new(5, pairs, 12, one, 1, &status);
    CHECK(dive && run(dive, 1) == DIVE_FOUND);
    CHECK(dive && dive_value(dive, 1) && dive_value(dive, 2) && !dive_value(dive, 4));
    dive_free(dive);
    const int none[] = {2, 2, 1, 1, -1, -1};
    dive = dive_new(1, none, 6, one, 1, &status);
    CHECK(dive && run(dive, 1) == DIVE_NONE);
    dive_free(dive);
}

static void test_memory_runs_out(void) {
    queens(N);
    EngineStatus status = ENGINE_NO_MEMORY;
    for (long left = 0; status == ENGINE_NO_MEMORY; left++) {
        allocations_left = left;
        Dive *dive = dive_new(N * N, numbers, count, decisions, N * N, &status);
        CHECK((dive != NULL) == (status == ENGINE_OK));
        dive_free(dive);
    }
    CHECK(status == ENGINE_OK);
    allocations_left = -1;
}

static void test_wrong_numbers(void) {
    EngineStatus status;
    const int wrong[][5] = {{1, 1, 2}, {1, 1, 0}, {9, 1, 1}, {1, -1, 1}, {-2, 1, 1}, {-1, 1, 1}, {-1, -1, 1, 1, 1}, {-1, 2, 1, 1, 1}, {2, INT_MAX, 1, 1, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(!dive_new(1, wrong[i], i < 6 ? 3 : 5, decisions, 0, &status));
        CHECK(status == ENGINE_OUT_OF_RANGE);
    }
    CHECK(!dive_new(-1, numbers, 0, decisions, 0, &status));
    CHECK(status == ENGINE_TOO_LARGE);
}

int main(void) {
    test_queens(1);
    test_queens(1000);
    test_no_model();
    test_pairs();
    test_memory_runs_out();
    test_wrong_numbers();
    CHECK(in_use == 0);
    printf("dive: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
