/* Depth-first search for exact covers with conflicts and bounds, on bit sets.

   At each level of the search, a bit set holds the options that can still be chosen. Choosing an option removes its conflicts,
   a row of a bit matrix. The search branches on an item with the fewest remaining options (the MRV heuristic in Knuth, The Art of
   Computer Programming 4B, section 7.2.2.1); an item without options ends the branch. If an item has few remaining options, the
   options that conflict with all of them are removed too, because any of them would exclude these.

   An option has one bit for each of its items, so that the bits of an item are adjacent and can be counted quickly. */

#include "cover/inner.h"

/* GCC compiles the inner part of the search once for each of these processors, and the program selects a version at startup. This
   requires the GNU linker and C library, and does not work with sanitizers. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__) && !defined(ENGINE_PORTABLE)
#define VECTORISED __attribute__((target_clones("avx2", "popcnt", "default")))
#else
#define VECTORISED
#endif

/* If an item has at most this many options left, options that all of them exclude are removed. 3 to 6 take similar times. */
#define FEW 4

/* ---- one node of the search ---- */

/* Close the items of an option: swap each with the last open one. */
static void close_items(Cover *s, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) {
        const int item = s->set[i];
        if (item >= s->items) {
            continue;
        }
        s->open--;
        const int at = s->place[item];
        const int last = s->order[s->open];
        s->order[at] = last;
        s->place[last] = at;
        s->order[s->open] = item;
        s->place[item] = s->open;
    }
}

/* Count an option in its bounds. If a bound is reached, remove its other options. */
static void take(Cover *s, Word *alive, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) {
        if (s->set[i] < s->items) {
            continue;
        }
        Bound *bound = s->bound + (s->set[i] - s->items);
        bound->taken++;
        if (bound->taken >= bound->most) {
            clear_set(s, alive, s->span + s->set[i], alive);
        }
    }
}

static void put_back(Cover *s, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) {
        if (s->set[i] >= s->items) {
            s->bound[s->set[i] - s->items].taken--;
        }
    }
}

/* Remove the options that conflict with all remaining options of an item. Returns whether there were any. */
ALWAYS_INLINE int strike(const Cover *s, Word *restrict alive, const Span *span) {
    const int width = s->width;
    Word *restrict common = s->common;
    for (int k = 0; k < width; k++) {
        common[k] = alive[k];
    }
    for (int j = 0; j < span->words; j++) {
        for (Word left = part(span, alive, j); left; left &= left - 1) {
            const Word *restrict row = s->conflicts + (size_t)option_of(s, span, j, left) * width;
            for (int k = 0; k < width; k++) {
                common[k] &= row[k];
            }
        }
    }
    clear_set(s, common, span, alive); /* the item's own options conflict with each other */
    Word struck = 0;
    for (int k = 0; k < width; k++) {
        struck |= common[k];
        alive[k] ^= common[k];
    }
    return struck != 0;
}

/* Do this for each open item with few options left, fewer than at the last check. Returns whether any option was removed. */
ALWAYS_INLINE int strike_all(const Cover *s, Word *alive, Word *looked) {
    int struck = 0;
    for (int i = 0; i < s->open; i++) {
        const Span *span = s->span + s->order[i];
        Word news = 0;
        for (int j = 0; j < span->words; j++) {
            news |= part(span, alive, j) ^ part(span, looked, j);
        }
        if (!news || left_of(span, alive) > FEW) {
            continue;
        }
        for (int j = 0; j < span->words; j++) {
            looked[span->first + j] ^= part(span, looked, j) ^ part(span, alive, j);
        }
        struck |= strike(s, alive, span);
    }
    return struck;
}

/* The open item with the fewest remaining options, and their number; -1 if no item is open. */
ALWAYS_INLINE int fewest(const Cover *s, const Word *alive, int *item) {
    int least = INT_MAX;
    *item = -1;
    for (int i = 0; i < s->open; i++) {
        const int count = left_of(s->span + s->order[i], alive);
        if (count < least) {
            least = count;
            *item = s->order[i];
        }
        if (count == 0) {
            break;
        }
    }
    return least;
}

/* Whether enough options are left for each bound. */
ALWAYS_INLINE int bounds_in_reach(const Cover *s, const Word *alive) {
    for (int i = 0; i < s->bounds; i++) {
        if (s->bound[i].least - s->bound[i].taken > left_of(s->span + s->items + i, alive)) {
            return 0;
        }
    }
    return 1;
}

/* Choose an option at a level and compute the remaining options of the next level. */
ALWAYS_INLINE void choose(Cover *s, int option, Word *restrict alive, Word *restrict looked) {
    const int width = s->width;
    const Word *restrict before = alive - width;
    const Word *restrict looked_before = looked - width;
    const Word *restrict row = s->conflicts + (size_t)option * width;
    for (int k = 0; k < width; k++) {
        alive[k] = before[k] & ~row[k];
    }
    for (int k = 0; k < width; k++) {
        looked[k] = looked_before[k];
    }
    close_items(s, option);
    if (s->bounds) {
        take(s, alive, option);
    }
}

/* Enter the level `depth` after the option chosen at the previous level, and find the item to branch on. Returns 1 if no item is
   open, which is a solution. */
VECTORISED static int enter(Cover *s) {
    Word *alive = s->alive + (size_t)s->depth * s->width;
    Word *looked = s->looked + (size_t)s->depth * s->width;
    Level *level = s->level + s->depth;
    if (s->depth) {
        choose(s, s->chosen[s->depth - 1], alive, looked);
    }
    s->nodes++;
    level->tried = 0;
    level->left = 0;
    level->item = -1;
    level->open = s->open;
    int item;
    int count = fewest(s, alive, &item);
    if (count == 0 || !bounds_in_reach(s, alive)) {
        return 0;
    }
    if (item < 0) {
        return 1;
    }
    if (count > 1 && strike_all(s, alive, looked)) { /* repeating this at the same node did not pay off */
        count = fewest(s, alive, &item);
        if (count == 0 || !bounds_in_reach(s, alive)) {
            return 0;
        }
    }
    level->item = item;
    level->word = 0;
    level->left = part(s->span + item, alive, 0);
    return 0;
}

/* ---- the search ---- */

/* The next option to try at a level; -1 if there is none. */
static int next_option(const Cover *s, Level *level) {
    if (level->item < 0) {
        return -1;
    }
    const Span *span = s->span + level->item;
    const Word *alive = s->alive + (size_t)(level - s->level) * s->width;
    while (!level->left) {
        level->word++;
        if (level->word == span->words) {
            level->item = -1;
            return -1;
        }
        level->left = part(span, alive, level->word);
    }
    const int option = option_of(s, span, level->word, level->left);
    level->left &= level->left - 1;
    return option;
}

/* A solution was found at the last level: continue with the previous level. */
static CoverState found(Cover *s) {
    s->size = s->depth;
    s->depth--;
    return COVER_FOUND;
}

CoverState cover_step(Cover *s, uint64_t nodes) {
    const uint64_t before = s->nodes;
    if (!s->begun) {
        s->begun = 1;
        s->depth = 0;
        if (enter(s)) {
            return found(s);
        }
    }
    while (s->depth >= 0) {
        if (s->nodes - before >= nodes) {
            return COVER_WORKING;
        }
        Level *level = s->level + s->depth;
        s->open = level->open;
        if (level->tried) {
            put_back(s, s->chosen[s->depth]);
        }
        const int option = next_option(s, level);
        if (option < 0) {
            s->depth--;
            continue;
        }
        level->tried = 1;
        s->chosen[s->depth] = option;
        s->depth++;
        if (enter(s)) {
            return found(s);
        }
    }
    return COVER_DONE;
}

/* Choose an option before the search. Returns whether it was left. */
static int choose_first(Cover *s, int option) {
    const int bit = s->start[option] < s->start[option + 1] ? s->bit[s->start[option]] : -1;
    if (bit < 0 || !(s->alive[bit / WORD_BITS] >> bit % WORD_BITS & 1)) {
        return 0;
    }
    const Word *row = s->conflicts + (size_t)option * (size_t)s->width;
    for (int k = 0; k < s->width; k++) {
        s->alive[k] &= ~row[k];
    }
    close_items(s, option);
    take(s, s->alive, option);
    return 1;
}

EngineStatus cover_restart(Cover *s, const int *chosen, int count) {
    const EngineStatus status = cover_check(s, chosen, count);
    if (status != ENGINE_OK) {
        return status;
    }
    cover_reset(s);
    for (int i = 0; i < count && !s->begun; i++) {
        if (!choose_first(s, chosen[i])) {
            s->begun = 1; /* and at its end */
            s->depth = -1;
        }
    }
    return ENGINE_OK;
}

/* Take the options that are not yet tried from a level. Returns their number. */
static int take_untried(const Cover *s, Level *level, int *options) {
    const Span *span = s->span + level->item;
    const Word *alive = s->alive + (size_t)(level - s->level) * s->width;
    int count = 0;
    while (1) {
        for (; level->left; level->left &= level->left - 1) {
            options[count++] = option_of(s, span, level->word, level->left);
        }
        if (level->word == span->words - 1) {
            return count;
        }
        level->word++;
        level->left = part(span, alive, level->word);
    }
}

int cover_release(Cover *s, int *released, int *levels) {
    int count = 0;
    *levels = 0;
    for (int depth = 0; s->begun && depth < s->depth && count == 0; depth++) { /* the option of the last level is finished */
        count = take_untried(s, s->level + depth, released);
        *levels = depth + 1;
    }
    return count;
}

int cover_item(const Cover *s, int level) {
    return s->level[level].item;
}

const int *cover_path(const Cover *s) {
    return s->chosen;
}

int cover_number(const Cover *s) {
    return s->options;
}

int cover_begun(const Cover *s) {
    return s->begun;
}

int cover_enter(Cover *s) {
    return enter(s);
}

void cover_leave(Cover *s, int option) {
    put_back(s, option);
}

const int *cover_options(const Cover *s) {
    return s->chosen;
}

int cover_size(const Cover *s) {
    return s->size;
}

uint64_t cover_nodes(const Cover *s) {
    return s->nodes;
}
