#include "common/problem.h"

/* Digits of the radix sort. */
#define DIGIT_BITS 16
#define DIGITS (1 << DIGIT_BITS)

EngineStatus check_lists(const Lists *lists, int count, int least, int most) {
    if (lists->start[0] != 0) {
        return ENGINE_OUT_OF_RANGE;
    }
    for (int i = 0; i < count; i++) {
        if (lists->start[i + 1] < lists->start[i]) {
            return ENGINE_OUT_OF_RANGE;
        }
    }
    for (int j = 0; j < lists->start[count]; j++) {
        if (lists->number[j] < least || lists->number[j] > most) {
            return ENGINE_OUT_OF_RANGE;
        }
    }
    return ENGINE_OK;
}

EngineStatus check_order(const Lists *lists, int from, int to, int repeated) {
    for (int i = from; i < to; i++) {
        for (int j = lists->start[i] + 1; j < lists->start[i + 1]; j++) {
            if (lists->number[j] < lists->number[j - 1] + !repeated) {
                return ENGINE_NOT_ASCENDING;
            }
        }
    }
    return ENGINE_OK;
}

EngineStatus problem_check(const Problem *problem, int repeated) {
    if (problem->options < 0 || problem->items < 0 || problem->bounds < 0) {
        return ENGINE_OUT_OF_RANGE;
    }
    if (problem->options == INT_MAX || problem->items >= INT_MAX - problem->bounds) {
        return ENGINE_TOO_LARGE;
    }
    const int sets = problem->items + problem->bounds;
    EngineStatus status = check_lists(&problem->sets, sets, 0, problem->options - 1);
    if (status == ENGINE_OK) {
        status = check_order(&problem->sets, 0, problem->items, 0);
    }
    if (status == ENGINE_OK) {
        status = check_order(&problem->sets, problem->items, sets, repeated);
    }
    if (status == ENGINE_OK) {
        status = check_lists(&problem->literals, problem->options, -LARGEST_LITERAL, LARGEST_LITERAL);
    }
    if (status != ENGINE_OK) {
        return status;
    }
    for (int i = 0; i < problem->literals.start[problem->options]; i++) {
        if (problem->literals.number[i] == 0) {
            return ENGINE_OUT_OF_RANGE;
        }
    }
    for (int i = 0; i < problem->bounds; i++) {
        if (problem->least[i] < 0 || problem->most[i] < 0) {
            return ENGINE_OUT_OF_RANGE;
        }
    }
    return ENGINE_OK;
}

/* The order of the occurrences: by variable, then positive before negative. */
static uint32_t rank(const Occurrence *occurrence) {
    const int literal = occurrence->literal;
    return literal > 0 ? 2 * (uint32_t)literal : 2 * (uint32_t)-literal + 1;
}

/* Sort by one digit of the rank, keeping the order of equal digits. `before` has room for DIGITS + 1 numbers. */
static void sort_by_digit(const Occurrence *from, Occurrence *to, int count, int shift, int *before) {
    for (int digit = 0; digit <= DIGITS; digit++) {
        before[digit] = 0;
    }
    for (int i = 0; i < count; i++) {
        before[(rank(from + i) >> shift) % DIGITS + 1]++;
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        before[digit + 1] += before[digit];
    }
    for (int i = 0; i < count; i++) {
        to[before[(rank(from + i) >> shift) % DIGITS]++] = from[i];
    }
}

Occurrence *problem_occurrences(const Problem *problem) {
    const Lists *literals = &problem->literals;
    const int count = literals->start[problem->options];
    Occurrence *sorted = engine_allocate((size_t)count + 1, sizeof(Occurrence));
    Occurrence *half = engine_allocate((size_t)count + 1, sizeof(Occurrence));
    int *before = engine_allocate(DIGITS + 1, sizeof(int));
    const int enough = sorted && half && before;
    if (enough) {
        uint32_t largest = 0;
        for (int option = 0; option < problem->options; option++) {
            for (int i = literals->start[option]; i < literals->start[option + 1]; i++) {
                sorted[i].literal = literals->number[i];
                sorted[i].option = option;
                largest |= rank(sorted + i);
            }
        }
        for (int shift = 0; shift < 32 && largest >> shift; shift += DIGIT_BITS) {
            sort_by_digit(sorted, half, count, shift, before);
            Occurrence *swap = sorted;
            sorted = half;
            half = swap;
        }
    }
    engine_free(half);
    engine_free(before);
    if (!enough) {
        engine_free(sorted);
        return NULL;
    }
    return sorted;
}

int next_run(const Occurrence *occurrences, int count, Run *run) {
    int at = run->end;
    if (at == count) {
        return 0;
    }
    const int variable = occurrences[at].literal > 0 ? occurrences[at].literal : -occurrences[at].literal;
    run->first = at;
    while (at < count && occurrences[at].literal == variable) {
        at++;
    }
    run->negative = at;
    while (at < count && occurrences[at].literal == -variable) {
        at++;
    }
    run->end = at;
    return 1;
}
