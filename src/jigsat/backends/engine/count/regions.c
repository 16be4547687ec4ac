/* Regions: open items that are connected in a graph and must be covered together. */

#include "count/inner.h"

void count_forget_regions(Count *c) {
    engine_free(c->near);
    engine_free(c->local);
    engine_free(c->rest);
    engine_free(c->edge);
    c->near = NULL;
    c->local = NULL;
    c->rest = NULL;
    c->edge = NULL;
}

static int divisor(int a, int b) {
    while (b) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Whether each option closes connected items of the graph; the greatest common divisor of their numbers. */
static int options_are_connected(Count *c) {
    c->unit = 0;
    for (int o = 0; o < c->options; o++) {
        const Word *need = mask_of(c, o, NEED);
        int regions = 0;
        for (int w = 0; w < c->item_width; w++) {
            c->rest[w] = need[w] & c->local[w];
        }
        for (int w = 0; w < c->item_width; w++) {
            while (c->rest[w]) {
                c->unit = divisor(c->unit, take_region(c, w));
                regions++;
            }
        }
        if (regions > 1) {
            return 0;
        }
    }
    return 1;
}

static int connect(Count *c, int item, int other) {
    if (other < 0 || other >= c->items) {
        return 0;
    }
    const size_t width = (size_t)c->item_width;
    set_bit(c->near + (size_t)item * width, other);
    set_bit(c->near + (size_t)other * width, item);
    set_bit(c->local, item);
    set_bit(c->local, other);
    return 1;
}

EngineStatus count_regions(Count *c, const Lists *near) {
    count_forget_regions(c);
    c->item_width = (c->items + WORD_BITS - 1) / WORD_BITS;
    c->near = count_reserve_rows(c, c->items, c->item_width);
    c->local = count_reserve_rows(c, 1, c->item_width);
    c->rest = count_reserve_rows(c, 1, c->item_width);
    c->edge = count_reserve_rows(c, 1, c->item_width);
    if (!c->near || !c->local || !c->rest || !c->edge) {
        count_forget_regions(c);
        return ENGINE_NO_MEMORY;
    }
    for (int i = 0; i < c->items; i++) {
        for (int j = near->start[i]; j < near->start[i + 1]; j++) {
            if (!connect(c, i, near->number[j])) {
                count_forget_regions(c);
                return ENGINE_OUT_OF_RANGE;
            }
        }
    }
    if (!options_are_connected(c) || c->unit < 2) {
        count_forget_regions(c);
    }
    return ENGINE_OK;
}
