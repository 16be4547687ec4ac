/* The masks of a counting search: the effect of each option on a state, and the bits of a state that are relevant. */

#include "count/build.h"

/* The items of an option, which must be open and are closed by it. */
static void mask_items(Count *c, const Plan *plan) {
    const Lists *sets = &plan->problem->sets;
    for (int i = 0; i < c->items; i++) {
        for (int j = sets->start[i]; j < sets->start[i + 1]; j++) {
            set_bit(mask_of(c, plan->position[sets->number[j]], NEED), i);
        }
        for (int item = 0; item <= i; item++) {
            set_bit(c->relevant + (size_t)item * (size_t)c->width, i);
        }
    }
}

/* One literal: the options with `set` set its bit, which forbids the options with the negation, `forbidden`. */
static void mask_literal(Count *c, Plan *plan, int bit, Occurrence *set, int setting, Occurrence *forbidden, int forbidding) {
    for (int i = 0; i < setting; i++) {
        set_bit(mask_of(c, plan->position[set[i].option], SET), bit);
    }
    int last = 0; /* when this item is closed, none of the forbidden options can be tried */
    Word *common = plan->common; /* items of all forbidden options: likewise when one of them is closed */
    for (int w = 0; w < c->width; w++) {
        common[w] = ~(Word)0;
    }
    for (int i = 0; i < forbidding; i++) {
        const int option = forbidden[i].option;
        const Word *need = mask_of(c, plan->position[option], NEED);
        set_bit(mask_of(c, plan->position[option], CARE), bit);
        last = plan->first_item[option] > last ? plan->first_item[option] : last;
        for (int w = 0; w < c->width; w++) {
            common[w] &= need[w];
        }
    }
    for (int item = 0; item <= last; item++) {
        set_bit(c->relevant + (size_t)item * (size_t)c->width, bit);
    }
    for (int item = first_open(c, common); item < c->items; item = first_open(c, common)) {
        set_bit(plan->irrelevant + (size_t)item * (size_t)c->width, bit);
        common[item / WORD_BITS] &= ~((Word)1 << item % WORD_BITS);
    }
}

static void mask_literals(Count *c, Plan *plan) {
    int bit = c->items;
    Run run = {0};
    while (next_run(plan->occurrences, plan->count, &run)) {
        Occurrence *positive = plan->occurrences + run.first;
        Occurrence *negative = plan->occurrences + run.negative;
        const int positives = run.negative - run.first;
        const int negatives = run.end - run.negative;
        if (positives && negatives) {
            mask_literal(c, plan, bit, positive, positives, negative, negatives);
            mask_literal(c, plan, bit + 1, negative, negatives, positive, positives);
            bit += 2;
        }
    }
}

/* Compute the bits that an option keeps from the items that it closes and the literals that it sets. */
static void finish_masks(Count *c, const Plan *plan) {
    for (int o = 0; o < c->options; o++) {
        Word *need = mask_of(c, o, NEED);
        Word *care = mask_of(c, o, CARE);
        Word *keep = mask_of(c, o, KEEP);
        Word *set = mask_of(c, o, SET);
        for (int w = 0; w < c->width; w++) {
            care[w] |= need[w];
            keep[w] = ~need[w];
            plan->common[w] = need[w];
        }
        for (int item = first_open(c, need); item < c->items; item = first_open(c, plan->common)) {
            const Word *irrelevant = plan->irrelevant + (size_t)item * (size_t)c->width;
            for (int w = 0; w < c->width; w++) {
                keep[w] &= ~irrelevant[w];
                set[w] &= ~irrelevant[w];
            }
            plan->common[item / WORD_BITS] &= ~((Word)1 << item % WORD_BITS);
        }
    }
}

void count_mask_options(Count *c, Plan *plan) {
    mask_items(c, plan);
    mask_literals(c, plan);
    finish_masks(c, plan);
}
