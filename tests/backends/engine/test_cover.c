/* The search for exact covers by itself: known numbers of solutions, brute force on random problems, and memory that runs out. */

#include "cover/cover.h"

#include "support.h"

static Builder built;

/* The number of solutions of the problem, in steps of the given number of nodes. */
static long solutions(uint64_t nodes) {
    EngineStatus status;
    Cover *search = cover_new(&built.problem, &status);
    CHECK(search && status == ENGINE_OK);
    long count = 0;
    CoverState state = COVER_WORKING;
    while (state != COVER_DONE) {
        const uint64_t before = cover_nodes(search);
        state = cover_step(search, nodes);
        CHECK(cover_nodes(search) - before <= nodes);
        count += state == COVER_FOUND;
    }
    CHECK(cover_step(search, nodes) == COVER_DONE);
    cover_free(search);
    CHECK(in_use == 0);
    return count;
}

static void test_known_numbers(void) {
    dominoes(&built, 4, 4);
    CHECK(solutions(1) == 36);
    dominoes(&built, 6, 6);
    CHECK(solutions(1000) == 6728);
    dominoes(&built, 5, 5);
    CHECK(solutions(1000) == 0);
    latin_squares(&built, 4);
    CHECK(solutions(7) == 576);
    queens(&built, 6);
    CHECK(solutions(100) == 4);
    queens(&built, 8);
    CHECK(solutions(100) == 92);
    colourings(&built, 5, 3);
    CHECK(solutions(100) == 30);
    colourings(&built, 7, 4);
    CHECK(solutions(100) == 2184);
    pentominoes(&built, 3, 20);
    CHECK(solutions(1 << 20) == 8);
    begin(&built);
    CHECK(solutions(1) == 1); /* nothing to cover: one solution */
    add_item(&built);
    CHECK(solutions(1) == 0); /* an item without options */
}

/* Items and bounds that take more than a word of bits. */
static void test_wide_items(void) {
    for (int size = 63; size <= 130; size += size == 65 ? 62 : 1) {
        begin(&built);
        for (int o = 0; o < 2 * size; o++) {
            add_option(&built);
        }
        for (int i = 0; i < 2; i++) {
            add_item(&built);
            for (int o = 0; o < size; o++) {
                add_member(&built, i * size + o);
            }
        }
        add_bound(&built, 1, 1); /* one of the two is among the first 5 or the last 4 */
        for (int o = 0; o < 2 * size; o++) {
            if (o < 5 || o >= 2 * size - 4) {
                add_member(&built, o);
            }
        }
        CHECK(solutions(100) == 5 * (size - 4) + 4 * (size - 5));
    }
}

static void test_brute_force(void) {
    static char found[1 << 12];
    long all = 0;
    for (int round = 0; round < 5000; round++) {
        draw_problem(&built, 0);
        const Problem *p = &built.problem;
        EngineStatus status;
        Cover *search = cover_new(p, &status);
        CHECK(status == ENGINE_OK);
        const uint64_t nodes = 1 + (uint64_t)draw(5);
        CoverState state;
        while ((state = cover_step(search, nodes)) != COVER_DONE) {
            if (state == COVER_WORKING) {
                continue;
            }
            unsigned chosen = 0;
            for (int i = 0; i < cover_size(search); i++) {
                chosen |= 1u << cover_options(search)[i];
            }
            CHECK(!found[chosen]);
            found[chosen] = 1;
        }
        cover_free(search);
        for (unsigned chosen = 0; chosen < 1u << p->options; chosen++) {
            CHECK(found[chosen] == is_solution(p, chosen));
            all += found[chosen];
            found[chosen] = 0;
        }
    }
    CHECK(all > 3000);
    CHECK(in_use == 0);
}

/* Whether the mean of independent numbers, given by their sums, is within six standard deviations of the expected value. */
static int is_mean(double sum, double squares, int count, double expected) {
    const double mean = sum / count;
    const double variance = (squares / count - mean * mean) / count;
    const double off = mean - expected;
    return off * off <= 36 * variance + 1e-9;
}

/* Random paths estimate the nodes and solutions that the search then finds. */
static void check_probes(int probes) {
    EngineStatus status;
    Cover *search = cover_new(&built.problem, &status);
    uint64_t random = 1;
    double sums[2] = {0}, squares[2] = {0};
    for (int i = 0; i < probes; i++) {
        double probed[2];
        cover_probe(search, &random, probed, probed + 1);
        for (int j = 0; j < 2; j++) {
            sums[j] += probed[j];
            squares[j] += probed[j] * probed[j];
        }
        if (probed[1] > 0 && built.problem.options < 32) {
            unsigned chosen = 0;
            for (int k = 0; k < cover_size(search); k++) {
                chosen |= 1u << cover_options(search)[k];
            }
            CHECK(is_solution(&built.problem, chosen));
        }
    }
    cover_free(search);
    search = cover_new(&built.problem, &status);
    double found = 0, progress = 0;
    CoverState state;
    CHECK(cover_progress(search) == 0 && !cover_begun(search));
    while ((state = cover_step(search, 3)) != COVER_DONE) {
        CHECK(cover_progress(search) >= progress - 1e-9 && cover_progress(search) <= 1);
        progress = cover_progress(search);
        found += state == COVER_FOUND;
    }
    CHECK(cover_progress(search) == 1 && cover_begun(search));
    CHECK(is_mean(sums[0], squares[0], probes, (double)cover_nodes(search)));
    CHECK(is_mean(sums[1], squares[1], probes, found));
    cover_free(search);
    CHECK(in_use == 0);
}

static void test_probes(void) {
    for (int round = 0; round < 300; round++) {
        draw_problem(&built, 0);
        check_probes(2000);
    }
    dominoes(&built, 4, 6);
    check_probes(20000);
    queens(&built, 6);
    check_probes(20000);
    colourings(&built, 6, 3);
    check_probes(100);
    begin(&built);
    check_probes(2);
}

static void test_memory_runs_out(void) {
    queens(&built, 5);
    for (long enough = 0;; enough++) {
        EngineStatus status;
        allocations_left = enough;
        Cover *search = cover_new(&built.problem, &status);
        allocations_left = -1;
        CHECK((search != NULL) == (status == ENGINE_OK));
        cover_free(search);
        CHECK(in_use == 0);
        if (status == ENGINE_OK) {
            CHECK(enough > 10);
            break;
        }
        CHECK(status == ENGINE_NO_MEMORY);
    }
}

static void refused(EngineStatus expected) {
    EngineStatus status;
    CHECK(!cover_new(&built.problem, &status));
    CHECK(status == expected);
    CHECK(in_use == 0);
}

static void test_numbers_out_of_range(void) {
    static const int wrong_literals[] = {0, LARGEST_LITERAL + 1, -LARGEST_LITERAL - 1, INT_MIN, INT_MAX};
    for (int i = 0; i < 5; i++) {
        colourings(&built, 3, 3);
        built.literal_number[4] = wrong_literals[i];
        refused(ENGINE_OUT_OF_RANGE);
    }
    static const int wrong_options[] = {-1, 36, INT_MAX};
    for (int i = 0; i < 3; i++) {
        queens(&built, 6);
        built.set_number[5] = wrong_options[i];
        refused(ENGINE_OUT_OF_RANGE);
    }
    queens(&built, 6);
    built.set_number[5] = built.set_number[4];
    refused(ENGINE_NOT_ASCENDING);
    queens(&built, 6);
    built.set_start[3] = -1;
    refused(ENGINE_OUT_OF_RANGE);
    queens(&built, 6);
    built.least[0] = -1;
    refused(ENGINE_OUT_OF_RANGE);
    queens(&built, 6);
    built.problem.items = INT_MAX;
    refused(ENGINE_TOO_LARGE);
    queens(&built, 6);
    built.problem.options = -1;
    refused(ENGINE_OUT_OF_RANGE);
}

static void test_bits(void) {
    for (int i = 0; i < 64; i++) {
        CHECK(lowest_bit((Word)1 << i) == i);
        CHECK(lowest_bit(~(Word)0 << i) == i);
        CHECK(count_bits(~(Word)0 << i) == 64 - i);
    }
    CHECK(count_bits(0) == 0);
    CHECK(count_bits(0x8000000180000001u) == 4);
}

int main(void) {
    test_bits();
    test_known_numbers();
    test_wide_items();
    test_brute_force();
    test_probes();
    test_memory_runs_out();
    test_numbers_out_of_range();
    printf("cover: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
