/* Random paths in the tree of a search for exact covers, and how much of the tree a search has visited. */

#include "cover/inner.h"

static const Word *alive_at(const Cover *s, int depth) {
    return s->alive + (size_t)depth * (size_t)s->width;
}

/* The option number `index` of the options left of an item. */
static int nth_option(const Cover *s, const Span *span, const Word *alive, int index) {
    int j = 0;
    while (index >= count_bits(part(span, alive, j))) {
        index -= count_bits(part(span, alive, j));
        j++;
    }
    Word left = part(span, alive, j);
    for (; index; index--) {
        left &= left - 1;
    }
    return option_of(s, span, j, left);
}

void cover_probe(Cover *s, uint64_t *random, double *nodes, double *solutions) {
    double weight = 1;
    *nodes = 1;
    s->depth = 0;
    int found = 0;
    if (!s->nodes || !s->items) { /* a root with items is entered only once, because that changes it */
        found = cover_enter(s);
    }
    while (!found && s->level[s->depth].item >= 0) {
        const Span *span = s->span + s->level[s->depth].item;
        const Word *alive = alive_at(s, s->depth);
        const int number = left_of(span, alive);
        const int index = random_below(random, number);
        s->chosen[s->depth] = nth_option(s, span, alive, index);
        s->depth++;
        weight *= number;
        *nodes += weight;
        found = cover_enter(s);
    }
    *solutions = found ? weight : 0;
    s->size = s->depth;
    for (int depth = s->depth - 1; depth >= 0; depth--) {
        cover_leave(s, s->chosen[depth]);
    }
    s->open = s->level[0].open;
}

double cover_progress(const Cover *s) {
    double done = 0;
    double part_of_node = 1;
    if (!s->begun) {
        return 0;
    }
    for (int depth = 0; depth <= s->depth; depth++) {
        const Level *level = s->level + depth;
        if (level->item < 0) {
            break;
        }
        const Span *span = s->span + level->item;
        const Word *alive = alive_at(s, depth);
        const int number = left_of(span, alive);
        int rest = count_bits(level->left);
        for (int j = level->word + 1; j < span->words; j++) {
            rest += count_bits(part(span, alive, j));
        }
        part_of_node /= number;
        done += part_of_node * (number - rest - level->tried);
    }
    return s->depth < 0 ? 1 : done;
}
