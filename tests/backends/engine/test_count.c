/* Counting by itself: known numbers of solutions, brute force on random problems, memory that runs out. */

#include "count/count.h"

#include "support.h"

static Builder built;

enum { ENOUGH = 1 << 28 };

/* A graph on the items. */
static int near_start[SETS], near_number[NUMBERS];
static const Lists near = {near_start, near_number};
static int has_graph;

/* The number of solutions of the problem as a double and modulo 2^64, in steps of the given number of nodes. */
static double counted(uint64_t nodes, Word *low) {
    EngineStatus status;
    Count *search = count_new(&built.problem, ENOUGH, &status);
    CHECK(search && status == ENGINE_OK);
    if (has_graph) {
        CHECK(count_regions(search, &near) == ENGINE_OK);
    }
    double progress = 0;
    while (count_step(search, nodes) == COUNT_WORKING) {
        CHECK(count_progress(search) >= progress - 1e-9 && count_progress(search) <= 1 + 1e-9);
        progress = count_progress(search);
    }
    CHECK(count_step(search, nodes) == COUNT_DONE);
    CHECK(count_progress(search) == 1);
    CHECK(count_memory(search) <= ENOUGH);
    const Word *words;
    const int length = count_result(search, &words);
    double number = 0;
    for (int i = length - 1; i >= 0; i--) {
        number = number * 18446744073709551616.0 + (double)words[i];
    }
    CHECK(length == 0 || words[length - 1]);
    *low = length ? words[0] : 0;
    count_free(search);
    CHECK(in_use == 0);
    return number;
}

static Word number_of_solutions(uint64_t nodes) {
    Word low;
    const double number = counted(nodes, &low);
    CHECK(number == (double)low);
    return low;
}

static void test_known_numbers(void) {
    dominoes(&built, 4, 4);
    CHECK(number_of_solutions(1) == 36);
    dominoes(&built, 5, 5);
    CHECK(number_of_solutions(1000) == 0);
    dominoes(&built, 8, 8);
    CHECK(number_of_solutions(1000) == 12988816);
    latin_squares(&built, 4);
    CHECK(number_of_solutions(7) == 576);
    latin_squares(&built, 3);
    CHECK(number_of_solutions(1000) == 12);
    queens(&built, 8);
    CHECK(number_of_solutions(100) == 92);
    colourings(&built, 5, 3);
    CHECK(number_of_solutions(100) == 30);
    colourings(&built, 40, 3);
    CHECK(number_of_solutions(100) == ((Word)1 << 40) + 2);
    pentominoes(&built, 20, 3);
    CHECK(number_of_solutions(1 << 20) == 8);
    begin(&built);
    CHECK(number_of_solutions(1) == 1);
    add_item(&built);
    CHECK(number_of_solutions(1) == 0);
}

/* The graph of the cells of a board. */
static void draw_board(int rows, int columns) {
    int at = 0;
    for (int i = 0; i < built.problem.items; i++) {
        if (i < rows * columns && i % columns < columns - 1) {
            near_number[at++] = i + 1;
        }
        if (i < (rows - 1) * columns) {
            near_number[at++] = i + columns;
        }
        near_start[i + 1] = at;
    }
    has_graph = 1;
}

/* Each item near each other one, or random ones. */
static void draw_graph(void) {
    const int complete = draw(2);
    int at = 0;
    for (int i = 0; i < built.problem.items; i++) {
        for (int j = 0; j < i; j++) {
            if (complete || draw(2)) {
                near_number[at++] = j;
            }
        }
        near_start[i + 1] = at;
    }
    has_graph = 1;
}

static void test_regions(void) {
    pentominoes(&built, 20, 3);
    draw_board(20, 3);
    CHECK(number_of_solutions(1000) == 8);
    dominoes(&built, 12, 11);
    draw_board(12, 11);
    const Word with = number_of_solutions(1000);
    has_graph = 0;
    CHECK(number_of_solutions(1000) == with);
    has_graph = 0;
    EngineStatus status;
    Count *search = count_new(&built.problem, ENOUGH, &status);
    near_number[3] = built.problem.items;
    CHECK(count_regions(search, &near) == ENGINE_OUT_OF_RANGE);
    near_number[3] = -1;
    CHECK(count_regions(search, &near) == ENGINE_OUT_OF_RANGE);
    count_free(search);
    CHECK(in_use == 0);
}

/* Numbers of several words: the domino tilings of a board of 100 x 4 and 3-colourings of a cycle of 400 vertices, from their linear
   recurrences. */
static void test_large_numbers(void) {
    Word low;
    colourings(&built, 400, 3);
    const double expected = 2582249878086908589655919172003011874329705792829223512830659356540647622016841194629645353280137831435903171972747493376.0;
    const double number = counted(1000, &low);
    CHECK(number == expected);
    CHECK(low == 2); /* 2^400 + 2 */
    dominoes(&built, 100, 4);
    Word tilings[101] = {1, 1, 5, 11};
    double approximate[101] = {1, 1, 5, 11};
    for (int n = 4; n <= 100; n++) {
        tilings[n] = tilings[n - 1] + 5 * tilings[n - 2] + tilings[n - 3] - tilings[n - 4];
        approximate[n] = approximate[n - 1] + 5 * approximate[n - 2] + approximate[n - 3] - approximate[n - 4];
    }
    const double many = counted(1000, &low);
    CHECK(low == tilings[100]);
    CHECK(many / approximate[100] > 1 - 1e-9 && many / approximate[100] < 1 + 1e-9);
}

static void test_brute_force(int repeated) {
    Word all = 0;
    for (int round = 0; round < 3000; round++) {
        draw_problem(&built, repeated);
        const Problem *p = &built.problem;
        Word expected = 0;
        for (unsigned chosen = 0; chosen < 1u << p->options; chosen++) {
            expected += (Word)is_solution(p, chosen);
        }
        CHECK(number_of_solutions(1 + (uint64_t)draw(5)) == expected);
        draw_graph();
        CHECK(number_of_solutions(1 + (uint64_t)draw(5)) == expected);
        has_graph = 0;
        all += expected;
    }
    CHECK(all > 1500);
}

/* Each rank has a solution of its own; there are `number` of them. */
static void check_ranks(int number) {
    static char seen[1 << 12];
    EngineStatus status;
    Count *search = count_new(&built.problem, ENOUGH, &status);
    int options[16];
    Word rank = 0;
    if (number && built.problem.items) {
        CHECK(count_solution(search, &rank, 1, options) == -1); /* the search is not done */
    }
    while (count_step(search, 100) == COUNT_WORKING) {
    }
    for (int i = 0; i < 1 << 12; i++) {
        seen[i] = 0;
    }
    Word occurrences[16] = {0};
    CHECK(count_options(search) <= 16 && count_occurrences(search, occurrences));
    for (rank = 0; rank < (Word)number; rank++) {
        unsigned chosen = 0;
        const int size = count_solution(search, &rank, 1, options);
        CHECK(size >= 0 && size <= built.problem.items);
        for (int i = 0; i < size; i++) {
            chosen |= 1u << options[i];
            occurrences[options[i]]--;
        }
        CHECK(is_solution(&built.problem, chosen) && !seen[chosen]);
        seen[chosen] = 1;
    }
    for (int i = 0; i < 16; i++) {
        CHECK(occurrences[i] == 0);
    }
    CHECK(count_solution(search, &rank, 1, options) == -1);
    const Word large[4] = {0, 0, 0, 1};
    CHECK(count_solution(search, large, 4, options) == -1);
    count_free(search);
    CHECK(in_use == 0);
}

static void test_ranks(void) {
    for (int round = 0; round < 1000; round++) {
        draw_problem(&built, round % 2);
        int number = 0;
        for (unsigned chosen = 0; chosen < 1u << built.problem.options; chosen++) {
            number += is_solution(&built.problem, chosen);
        }
        check_ranks(number);
    }
}

/* The 3-colourings of a cycle of 400 vertices, 2^400 + 2: the last rank, the one after it, and a third of them for each option. */
static void test_large_ranks(void) {
    static int options[NUMBERS];
    EngineStatus status;
    colourings(&built, 400, 3);
    Count *search = count_new(&built.problem, ENOUGH, &status);
    while (count_step(search, 1000) == COUNT_WORKING) {
    }
    Word rank[7] = {1, 0, 0, 0, 0, 0, 1 << 16};
    CHECK(count_limbs(search) >= 7);
    CHECK(count_solution(search, rank, 7, options) == 400);
    rank[0]++;
    CHECK(count_solution(search, rank, 7, options) == -1);
    static Word occurrences[NUMBERS][7];
    CHECK(count_occurrences(search, occurrences[0]));
    for (int option = 0; option < count_options(search); option++) {
        for (int i = 0; i < 7; i++) {
            CHECK(occurrences[option][i] == (i == 6 ? 0x5555 : 0x5555555555555555u + !i));
        }
    }
    count_free(search);
    CHECK(in_use == 0);
}

static void test_memory_runs_out(void) {
    queens(&built, 5);
    add_bound(&built, 1, 2);
    for (long enough = 0;; enough++) {
        EngineStatus status;
        allocations_left = enough;
        Count *search = count_new(&built.problem, ENOUGH, &status);
        CHECK((search != NULL) == (status == ENGINE_OK));
        CountState state = COUNT_FULL;
        if (search) {
            while ((state = count_step(search, 10)) == COUNT_WORKING) {
            }
            Word occurrences[NUMBERS] = {0};
            state = state == COUNT_DONE && !count_occurrences(search, occurrences) ? COUNT_FULL : state;
        }
        allocations_left = -1;
        count_free(search);
        CHECK(in_use == 0);
        if (state == COUNT_DONE) {
            CHECK(enough > 10);
            break;
        }
    }
}

static void test_the_limit_is_kept(void) {
    latin_squares(&built, 5);
    for (size_t limit = 1 << 10; limit <= 1 << 24; limit *= 2) {
        EngineStatus status;
        Count *search = count_new(&built.problem, limit, &status);
        if (!search) {
            CHECK(status == ENGINE_NO_MEMORY && limit < 1 << 20);
            continue;
        }
        CountState state;
        while ((state = count_step(search, 1000)) == COUNT_WORKING) {
            CHECK(count_memory(search) <= limit);
        }
        CHECK(state == (limit < 1 << 22 ? COUNT_FULL : state));
        CHECK(count_step(search, 1000) == state);
        count_free(search);
    }
    CHECK(in_use == 0);
}

static void test_numbers_out_of_range(void) {
    EngineStatus status;
    queens(&built, 6);
    built.set_number[5] = 36;
    CHECK(!count_new(&built.problem, ENOUGH, &status) && status == ENGINE_OUT_OF_RANGE);
    queens(&built, 6);
    built.set_number[5] = built.set_number[4];
    CHECK(!count_new(&built.problem, ENOUGH, &status) && status == ENGINE_NOT_ASCENDING);
    CHECK(in_use == 0);
}

int main(void) {
    test_known_numbers();
    test_large_numbers();
    test_regions();
    test_brute_force(0);
    test_brute_force(1);
    test_ranks();
    test_large_ranks();
    test_memory_runs_out();
    test_the_limit_is_kept();
    test_numbers_out_of_range();
    printf("count: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
