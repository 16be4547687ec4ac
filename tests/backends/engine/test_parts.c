/* Searches for some of the exact covers: restricted, started over with options chosen, and giving up a part. */

#include "cover/cover.h"

#include "support.h"

static Builder built;

/* Search to the end. Mark the solutions, whose options are named by a list, and add them and the nodes up. */
static void run(Cover *search, const int *names, char *found, long *number, uint64_t *nodes) {
    CoverState state;
    while ((state = cover_step(search, 3)) != COVER_DONE) {
        unsigned chosen = 0;
        for (int i = 0; state == COVER_FOUND && i < cover_size(search); i++) {
            chosen |= 1u << names[cover_options(search)[i]];
        }
        *number += state == COVER_FOUND;
        found[chosen] |= state == COVER_FOUND;
    }
    *nodes += cover_nodes(search);
}

/* A restricted search finds the solutions that have only the options that are kept; also if the whole search has begun. */
static void test_restrictions(void) {
    static char found[1 << 12];
    long all = 0;
    for (int round = 0; round < 3000; round++) {
        draw_problem(&built, 0);
        const Problem *p = &built.problem;
        EngineStatus status;
        Cover *whole = cover_new(p, &status);
        cover_step(whole, 1 + (uint64_t)draw(5));
        int kept[12], count = 0;
        unsigned left = 0;
        for (int o = 0; o < p->options; o++) {
            if (draw(5)) {
                kept[count++] = o;
                left |= 1u << o;
            }
        }
        Cover *some = cover_restricted(whole, kept, count, &status);
        CHECK(some && status == ENGINE_OK && cover_number(some) == count);
        cover_free(whole);
        long number = 0;
        uint64_t nodes = 0;
        run(some, kept, found, &number, &nodes);
        cover_free(some);
        for (unsigned chosen = 0; chosen < 1u << p->options; chosen++) {
            CHECK(found[chosen] == (is_solution(p, chosen) && !(chosen & ~left)));
            number -= found[chosen];
            all += found[chosen];
            found[chosen] = 0;
        }
        CHECK(number == 0);
    }
    CHECK(all > 1000);
    CHECK(in_use == 0);
}

/* Wrong options of a problem with 36 of them, and what is wrong. */
static const int wrong[][2] = {{-1, 1}, {1, 36}, {2, 2}, {3, 1}};
static const EngineStatus expected[] = {ENGINE_OUT_OF_RANGE, ENGINE_OUT_OF_RANGE, ENGINE_NOT_ASCENDING, ENGINE_NOT_ASCENDING};

static void test_restrictions_out_of_range(void) {
    EngineStatus status;
    queens(&built, 6);
    Cover *whole = cover_new(&built.problem, &status);
    for (int i = 0; i < 4; i++) {
        CHECK(!cover_restricted(whole, wrong[i], 2, &status) && status == expected[i]);
    }
    static const int kept[] = {0, 5, 9};
    for (status = ENGINE_NO_MEMORY, allocations_left = 0; status != ENGINE_OK;) {
        const long enough = allocations_left;
        Cover *some = cover_restricted(whole, kept, 3, &status);
        CHECK((some != NULL) == (status == ENGINE_OK));
        cover_free(some);
        allocations_left = enough + 1;
    }
    allocations_left = -1;
    cover_free(whole);
    CHECK(in_use == 0);
}

/* A search that is started over finds the solutions with the chosen options, wherever it was. */
static void test_restarts(void) {
    static char found[1 << 12];
    long all = 0;
    for (int round = 0; round < 3000; round++) {
        draw_problem(&built, 0);
        const Problem *p = &built.problem;
        EngineStatus status;
        Cover *search = cover_new(p, &status);
        for (int times = 0; times < 3; times++) {
            int names[12], list[12], count = 0;
            unsigned set = 0;
            for (int o = 0; o < p->options; o++) {
                names[o] = o;
                if (draw(8) == 0) {
                    list[count++] = o;
                    set |= 1u << o;
                }
            }
            CHECK(cover_restart(search, list, count) == ENGINE_OK);
            CHECK(cover_nodes(search) == 0);
            if (draw(3) == 0) {
                cover_step(search, 1 + (uint64_t)draw(5));
                continue;
            }
            long number = 0;
            uint64_t nodes = 0;
            run(search, names, found, &number, &nodes);
            CHECK(cover_progress(search) == 1);
            for (unsigned chosen = 0; chosen < 1u << p->options; chosen++) {
                if ((chosen & set) == set && is_solution(p, chosen)) {
                    CHECK(found[chosen & ~set]);
                    found[chosen & ~set] = 0;
                    all++;
                    number--;
                }
            }
            CHECK(number == 0);
        }
        cover_free(search);
    }
    CHECK(all > 1000);
    CHECK(in_use == 0);
}

static void test_restarts_out_of_range(void) {
    EngineStatus status;
    queens(&built, 6);
    Cover *search = cover_new(&built.problem, &status);
    CHECK(cover_step(search, 3) == COVER_WORKING);
    for (int i = 0; i < 4; i++) {
        CHECK(cover_restart(search, wrong[i], 2) == expected[i]);
    }
    CHECK(cover_nodes(search) == 3);
    cover_free(search);
    CHECK(in_use == 0);
}

/* The options that a search gives up, each with the path to them, contain exactly the solutions that it does not find. */
static long check_releases(int every) {
    static char found[1 << 12];
    const Problem *p = &built.problem;
    EngineStatus status;
    Cover *search = cover_new(p, &status);
    CoverState state;
    long releases = 0;
    for (int steps = 1; (state = cover_step(search, 1)) != COVER_DONE; steps++) {
        unsigned chosen = 0;
        for (int i = 0; state == COVER_FOUND && i < cover_size(search); i++) {
            chosen |= 1u << cover_options(search)[i];
        }
        if (state == COVER_FOUND) {
            CHECK(!found[chosen]);
            found[chosen] = 1;
        }
        int released[12], levels;
        const int count = steps % every == 0 ? cover_release(search, released, &levels) : 0;
        for (int i = 0; i < count; i++) {
            unsigned path = 1u << released[i];
            for (int level = 0; level < levels - 1; level++) {
                path |= 1u << cover_path(search)[level];
            }
            CHECK(chosen_of(p, cover_item(search, levels - 1), 1u << released[i]) == 1);
            for (unsigned other = 0; other < 1u << p->options; other++) {
                if ((other & path) == path && is_solution(p, other)) {
                    CHECK(!found[other]);
                    found[other] = 1;
                }
            }
        }
        releases += count > 0;
    }
    cover_free(search);
    for (unsigned chosen = 0; chosen < 1u << p->options; chosen++) {
        CHECK(found[chosen] == is_solution(p, chosen));
        found[chosen] = 0;
    }
    return releases;
}

static void test_releases(void) {
    long releases = 0;
    for (int round = 0; round < 3000; round++) {
        draw_problem(&built, 0);
        releases += check_releases(1 + draw(4));
    }
    CHECK(releases > 100);
    dominoes(&built, 2, 4);
    CHECK(check_releases(1) > 0);
    CHECK(in_use == 0);
}

int main(void) {
    test_restrictions();
    test_restrictions_out_of_range();
    test_restarts();
    test_restarts_out_of_range();
    test_releases();
    printf("parts: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
