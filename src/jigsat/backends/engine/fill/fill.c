/* Depth-first search for a fill. The words that are left for a slot are a sparse set (Briggs and Torczon, An efficient representation for
   sparse sets, ACM Letters on Programming Languages and Systems 2, 1993): the first `size` entries of an array, so that
   going back restores the sizes alone. */

#include "fill/fill.h"

#define TRIED_WORDS 5      /* the next word is one of the first words with the highest score, at most this many */
#define MANY_WORDS 300      /* a slot with more words than this allows nearly every letter, so its crossings are not looked at, */
#define FEW_LETTERS 4       /* and it does not lose words by a cell where more letters than this are left */
#define CROSSING_WEIGHT 30 /* slots that cross the given slot are filled early, as if they had failed this many times as often */

/* The words of one length, in the order in which they are tried. */
typedef struct {
    int length;
    int count;
    int *number; /* in the grid */
    int *letter; /* for each place, the letters of all words there, */
    int *having; /* and all words in the order of their letters there */
    int *start;  /* for each place and letter, where the words with the letter start in `having` */
} Words;

/* A cell that a slot shares with another one. */
typedef struct {
    int cell;
    int place;
    int other;
    int other_place;
} Crossing;

typedef struct {
    const Words *words;
    int *word;     /* those that are left come first; numbers in `words` */
    int *position; /* of each word in `word` */
    Crossing *crossing;
    int crossings;
    uint64_t failures; /* how often it, or a slot that it crosses, was left without words, and 1 */
    uint64_t weight;   /* of each failure */
    int waiting;       /* whether it is in the queue */
} Slot;

struct Fill {
    int slots;
    int cells;
    int words;
    int lengths;
    int alphabet; /* the number of letters */
    int distinct;
    Words *of_length; /* by length, below `lengths` */
    int *score;       /* of each word of the grid, */
    int *place_of;    /* and its number among those of its length */
    Slot *slot;
    int *size;    /* the number of words that are left for each slot, */
    int *letters; /* and of the letters that are left for each cell: together the state of the search */
    int *root;    /* the state before the search */
    int *before;  /* by depth, the state before the word there was chosen */
    int *chosen_slot;
    int *chosen_word;
    int *queue; /* slots that have lost words */
    int queued;
    int *seen;  /* by letter, the last time that it was seen, */
    int *tally; /* and how often at that time */
    int *last;  /* the letters that were seen at the last time */
    int time;
    uint64_t tried;
};

static int *at_place(const Words *words, int *entries, int place) {
    return entries + (size_t)place * (size_t)words->count;
}

static int *starts_at(const Fill *f, const Words *words, int place) {
    return words->start + (size_t)place * ((size_t)f->alphabet + 1);
}

/* ---- words that are left ---- */

static int is_left(const Fill *f, int slot, int word) {
    return f->slot[slot].position[word] < f->size[slot];
}

static void move(Slot *s, int word, int position) {
    const int other = s->word[position];
    s->word[s->position[word]] = other;
    s->position[other] = s->position[word];
    s->word[position] = word;
    s->position[word] = position;
}

static void remove_word(Fill *f, int slot, int word) {
    f->size[slot]--;
    move(f->slot + slot, word, f->size[slot]);
}

static void choose_word(Fill *f, int slot, int word) {
    move(f->slot + slot, word, 0);
    f->size[slot] = 1;
}

static void wait_for(Fill *f, int slot) {
    if (!f->slot[slot].waiting) {
        f->slot[slot].waiting = 1;
        f->queue[f->queued] = slot;
        f->queued++;
    }
}

/* A new time, at which no letter was seen. */
static void begin_time(Fill *f) {
    if (f->time == INT_MAX) {
        for (int i = 0; i < f->alphabet; i++) {
            f->seen[i] = 0;
        }
        f->time = 0;
    }
    f->time++;
}

/* See the letters of a slot's words at a place, until they are `enough`. Returns how many there are. */
static int see_letters(Fill *f, int slot, int place, int enough) {
    const Slot *s = f->slot + slot;
    const int *letter = at_place(s->words, s->words->letter, place);
    int number = 0;
    begin_time(f);
    for (int i = 0; i < f->size[slot] && number < enough; i++) {
        const int x = letter[s->word[i]];
        f->last[number] = x;
        number += f->seen[x] != f->time;
        f->seen[x] = f->time;
    }
    return number;
}

/* Keep the words of a slot that have one of the letters seen last, by looking at its words. */
static void keep_seen(Fill *f, int slot, int place) {
    Slot *s = f->slot + slot;
    const int *letter = at_place(s->words, s->words->letter, place);
    int kept = 0;
    for (int i = 0; i < f->size[slot]; i++) {
        if (f->seen[letter[s->word[i]]] == f->time) {
            move(s, s->word[i], kept);
            kept++;
        }
    }
    f->size[slot] = kept;
}

/* The same, by looking at all words with each letter. */
static void keep_having(Fill *f, int slot, int place, int letters) {
    Slot *s = f->slot + slot;
    const int *having = at_place(s->words, s->words->having, place);
    const int *start = starts_at(f, s->words, place);
    int kept = 0;
    for (int i = 0; i < letters; i++) {
        for (int k = start[f->last[i]]; k < start[f->last[i] + 1]; k++) {
            if (is_left(f, slot, having[k])) {
                move(s, having[k], kept);
                kept++;
            }
        }
    }
    f->size[slot] = kept;
}

/* Remove the words of a slot that have none of the letters seen last, of which there are some. Returns whether there were any. */
static int remove_unseen(Fill *f, int slot, int place, int letters) {
    const int before = f->size[slot];
    const int *start = starts_at(f, f->slot[slot].words, place);
    int words = 0;
    for (int i = 0; i < letters; i++) {
        words += start[f->last[i] + 1] - start[f->last[i]];
    }
    if (words < before) {
        keep_having(f, slot, place, letters);
    } else {
        keep_seen(f, slot, place);
    }
    return f->size[slot] < before;
}

/* Remove the word of a slot that has only one from all others. */
static void remove_elsewhere(Fill *f, int slot) {
    const Slot *s = f->slot + slot;
    for (int other = 0; other < f->slots; other++) {
        if (other != slot && f->slot[other].words == s->words && is_left(f, other, s->word[0])) {
            remove_word(f, other, s->word[0]);
            wait_for(f, other);
        }
    }
}

/* Take the slot with the fewest words from the queue. */
static int next_waiting(Fill *f) {
    int best = 0;
    for (int i = 1; i < f->queued; i++) {
        best = f->size[f->queue[i]] < f->size[f->queue[best]] ? i : best;
    }
    const int slot = f->queue[best];
    f->queued--;
    f->queue[best] = f->queue[f->queued];
    return slot;
}

/* Remove words that have no partner in a crossing slot that waits, or that stand elsewhere; what slots with more than `many` words
   imply is left out. Returns whether every slot keeps some. */
static int propagate(Fill *f, int many) {
    int possible = 1;
    while (f->queued) {
        const int slot = next_waiting(f);
        Slot *s = f->slot + slot;
        s->waiting = 0;
        possible = possible && f->size[slot];
        if (!possible || f->size[slot] > many) {
            continue;
        }
        if (f->distinct && f->size[slot] == 1) {
            remove_elsewhere(f, slot);
        }
        for (int i = 0; i < s->crossings && possible; i++) {
            const Crossing *c = s->crossing + i;
            const int number = see_letters(f, slot, c->place, f->letters[c->cell]);
            if (number == f->letters[c->cell] || (number > FEW_LETTERS && f->size[c->other] > many)) {
                continue;
            }
            f->letters[c->cell] = number;
            if (remove_unseen(f, c->other, c->other_place, number)) {
                wait_for(f, c->other);
            }
            if (!f->size[c->other]) {
                s->failures++;
                f->slot[c->other].failures++;
                possible = 0;
            }
        }
    }
    return possible;
}

/* ---- choices ---- */

/* The slot to fill next: the one with the fewest words for each earlier failure (dom/wdeg; Boussemart, Hemery, Lecoutre and Sais,
   Boosting systematic search by weighting constraints, ECAI 2004). Returns -1 if all are filled. */
static int next_slot(const Fill *f) {
    int best = -1;
    uint64_t failures = 0;
    for (int slot = 0; slot < f->slots; slot++) {
        const uint64_t its = f->slot[slot].failures * f->slot[slot].weight;
        if (f->size[slot] > 1 && (best < 0 || (uint64_t)f->size[slot] * failures < (uint64_t)f->size[best] * its)) {
            best = slot;
            failures = its;
        }
    }
    return best;
}

/* The product, over the crossing slots, of the number of their words that each of some words leaves; of all words with the letter,
   where there are many. */
static void count_partners(Fill *f, int slot, const int *words, int count, double *product) {
    const Slot *s = f->slot + slot;
    for (int w = 0; w < count; w++) {
        product[w] = 1;
    }
    for (int i = 0; i < s->crossings; i++) {
        const Crossing *c = s->crossing + i;
        const Slot *other = f->slot + c->other;
        if (f->size[c->other] > MANY_WORDS) {
            const int *start = starts_at(f, other->words, c->other_place);
            for (int w = 0; w < count; w++) {
                const int x = at_place(s->words, s->words->letter, c->place)[words[w]];
                product[w] *= start[x + 1] - start[x];
            }
            continue;
        }
        const int *letter = at_place(other->words, other->words->letter, c->other_place);
        begin_time(f);
        for (int k = 0; k < f->size[c->other]; k++) {
            const int x = letter[other->word[k]];
            f->tally[x] = f->seen[x] == f->time ? f->tally[x] + 1 : 1;
            f->seen[x] = f->time;
        }
        for (int w = 0; w < count; w++) {
            const int x = at_place(s->words, s->words->letter, c->place)[words[w]];
            product[w] *= f->seen[x] == f->time ? f->tally[x] : 0;
        }
    }
}

/* The first words that are left for a slot, at most TRIED_WORDS. Returns their number. */
static int first_words(const Fill *f, int slot, int *first) {
    int count = 0;
    for (int i = 0; i < f->size[slot]; i++) {
        const int word = f->slot[slot].word[i];
        if (count == TRIED_WORDS && first[count - 1] < word) {
            continue;
        }
        int at = count < TRIED_WORDS ? count++ : count - 1;
        for (; at > 0 && first[at - 1] > word; at--) {
            first[at] = first[at - 1];
        }
        first[at] = word;
    }
    return count;
}

/* Of the first words with the highest score, the one that leaves the crossing slots the most words. */
static int best_word(Fill *f, int slot) {
    const int *number = f->slot[slot].words->number;
    int first[TRIED_WORDS];
    double product[TRIED_WORDS];
    int count = first_words(f, slot, first);
    while (f->score[number[first[count - 1]]] < f->score[number[first[0]]]) {
        count--;
    }
    count_partners(f, slot, first, count, product);
    int best = 0;
    for (int w = 1; w < count; w++) {
        best = product[w] > product[best] ? w : best;
    }
    return first[best];
}

/* The number, among those of its length, of a word of the grid that is left for a slot; else -1. */
static int find_word(const Fill *f, int slot, int number) {
    const Words *words = f->slot[slot].words;
    const int word = number >= 0 && number < f->words ? f->place_of[number] : 0;
    return word < words->count && words->number[word] == number && is_left(f, slot, word) ? word : -1;
}

/* The word to try next in a slot. */
static int next_word(Fill *f, int slot, const Lists *preferred) {
    for (int i = preferred->start[slot]; i < preferred->start[slot + 1]; i++) {
        const int word = find_word(f, slot, preferred->number[i]);
        if (word >= 0) {
            return word;
        }
    }
    return best_word(f, slot);
}

/* ---- the search ---- */

static void copy_state(const Fill *f, int *to, const int *from) {
    for (int i = 0; i < f->slots + f->cells; i++) {
        to[i] = from[i];
    }
}

static int *state_before(const Fill *f, int depth) {
    return f->before + (size_t)depth * (size_t)(f->slots + f->cells);
}

/* Choose a word. Returns whether every slot keeps some. */
static int try_word(Fill *f, int slot, int word) {
    choose_word(f, slot, word);
    wait_for(f, slot);
    return propagate(f, MANY_WORDS);
}

/* Go back to the latest choice without whose word every slot keeps some. Returns its depth, or -1 if there is none. */
static int backtrack(Fill *f, int depth) {
    int possible = 0;
    while (!possible && depth > 0) {
        depth--;
        copy_state(f, f->size, state_before(f, depth));
        remove_word(f, f->chosen_slot[depth], f->chosen_word[depth]);
        wait_for(f, f->chosen_slot[depth]);
        possible = propagate(f, MANY_WORDS);
    }
    return possible ? depth : -1;
}

/* Start from the words that are left at the root. Returns whether every slot has some. */
static int begin(Fill *f) {
    int possible = 1;
    copy_state(f, f->size, f->root);
    for (int slot = 0; slot < f->slots; slot++) {
        f->slot[slot].weight = 1;
        possible &= f->size[slot] > 0;
    }
    f->tried = 0;
    return possible;
}

FillState fill_search(Fill *f, int slot, int word, const Lists *preferred, uint64_t words) {
    if (!begin(f)) {
        return FILL_NONE;
    }
    if (slot >= 0) {
        const int chosen = find_word(f, slot, word);
        if (chosen < 0 || !try_word(f, slot, chosen)) {
            return FILL_NONE;
        }
        for (int i = 0; i < f->slot[slot].crossings; i++) {
            f->slot[f->slot[slot].crossing[i].other].weight = CROSSING_WEIGHT;
        }
    }
    int depth = 0;
    while (depth >= 0 && f->tried < words) {
        const int next = next_slot(f);
        if (next < 0) {
            return FILL_FOUND;
        }
        f->tried++;
        f->chosen_slot[depth] = next;
        f->chosen_word[depth] = next_word(f, next, preferred);
        copy_state(f, state_before(f, depth), f->size);
        depth++;
        if (!try_word(f, next, f->chosen_word[depth - 1])) {
            depth = backtrack(f, depth);
        }
    }
    return depth < 0 ? FILL_NONE : FILL_LIMITED;
}

uint64_t fill_tried(const Fill *f) {
    return f->tried;
}

void fill_words(const Fill *f, int *numbers) {
    for (int slot = 0; slot < f->slots; slot++) {
        numbers[slot] = f->slot[slot].words->number[f->slot[slot].word[0]];
    }
}

/* ---- building ---- */

static int lists_length(const Lists *lists, int i) {
    return lists->start[i + 1] - lists->start[i];
}

static EngineStatus check_grid(const Grid *grid) {
    if (grid->slots < 0 || grid->cells < 0 || grid->words < 0) {
        return ENGINE_OUT_OF_RANGE;
    }
    if (grid->slots >= INT_MAX - grid->cells || grid->words == INT_MAX) {
        return ENGINE_TOO_LARGE;
    }
    EngineStatus status = check_lists(&grid->slot, grid->slots, 0, grid->cells - 1);
    if (status == ENGINE_OK) {
        status = check_order(&grid->slot, 0, grid->slots, 0);
    }
    if (status == ENGINE_OK) {
        status = check_lists(&grid->given, grid->cells, 0, LARGEST_LETTER);
    }
    return status == ENGINE_OK ? check_lists(&grid->letter, grid->words, 0, LARGEST_LETTER) : status;
}

/* Number the letters of the words. */
static void number_letters(Fill *f, const Grid *grid, int *code) {
    for (int i = 0; i < grid->letter.start[grid->words]; i++) {
        const int letter = grid->letter.number[i];
        if (!code[letter]) {
            f->alphabet++;
            code[letter] = f->alphabet;
        }
    }
}

/* Note which words have each letter at a place, by counting. */
static void index_place(const Fill *f, Words *words, int place) {
    const int *letter = at_place(words, words->letter, place);
    int *having = at_place(words, words->having, place);
    int *start = starts_at(f, words, place);
    for (int word = 0; word < words->count; word++) {
        start[letter[word]]++;
    }
    for (int x = 0; x < f->alphabet; x++) {
        start[x + 1] += start[x];
    }
    for (int word = words->count - 1; word >= 0; word--) {
        start[letter[word]]--;
        having[start[letter[word]]] = word;
    }
}

/* Sort the words by their length, as far as slots have it. For other lengths, `length` stays 0, so that they take no memory. */
static int sort_words(Fill *f, const Grid *grid, const int *code) {
    for (int slot = 0; slot < f->slots; slot++) {
        const int length = lists_length(&grid->slot, slot);
        f->of_length[length].length = length;
    }
    for (int word = 0; word < grid->words; word++) {
        const int length = lists_length(&grid->letter, word);
        f->score[word] = grid->score[word];
        if (length < f->lengths) {
            f->place_of[word] = f->of_length[length].count;
            f->of_length[length].count++;
        }
    }
    for (int length = 0; length < f->lengths; length++) {
        Words *words = f->of_length + length;
        const size_t places = (size_t)words->length + 1;
        words->number = engine_allocate((size_t)words->count + 1, sizeof(int));
        words->letter = engine_allocate((size_t)words->count + 1, places * sizeof(int));
        words->having = engine_allocate((size_t)words->count + 1, places * sizeof(int));
        words->start = engine_allocate((size_t)f->alphabet + 1, places * sizeof(int));
        if (!words->number || !words->letter || !words->having || !words->start) {
            return 0;
        }
    }
    for (int word = 0; word < grid->words; word++) {
        const int length = lists_length(&grid->letter, word);
        if (length >= f->lengths) {
            continue; /* no slot is as long */
        }
        const Words *words = f->of_length + length;
        words->number[f->place_of[word]] = word;
        for (int place = 0; place < words->length; place++) {
            const int letter = grid->letter.number[grid->letter.start[word] + place];
            at_place(words, words->letter, place)[f->place_of[word]] = code[letter] - 1;
        }
    }
    for (int length = 0; length < f->lengths; length++) {
        for (int place = 0; place < f->of_length[length].length; place++) {
            index_place(f, f->of_length + length, place);
        }
    }
    return 1;
}

/* Whether a word of a slot's length has the given letters. */
static int agrees(const Grid *grid, const int *code, int slot, const Words *words, int word) {
    for (int place = 0; place < words->length; place++) {
        const int cell = grid->slot.number[grid->slot.start[slot] + place];
        for (int i = grid->given.start[cell]; i < grid->given.start[cell + 1]; i++) {
            if (code[grid->given.number[i]] - 1 != at_place(words, words->letter, place)[word]) {
                return 0;
            }
        }
    }
    return 1;
}

/* Make room for the words and crossings of a slot, and find its words. */
static int build_slot(Fill *f, const Grid *grid, const int *code, int slot) {
    Slot *s = f->slot + slot;
    s->words = f->of_length + lists_length(&grid->slot, slot);
    s->failures = 1;
    s->word = engine_allocate((size_t)s->words->count + 1, sizeof(int));
    s->position = engine_allocate((size_t)s->words->count + 1, sizeof(int));
    s->crossing = engine_allocate((size_t)s->words->length + 1, sizeof(Crossing));
    if (!s->word || !s->position || !s->crossing) {
        return 0;
    }
    f->size[slot] = s->words->count;
    for (int word = 0; word < s->words->count; word++) {
        s->word[word] = s->position[word] = word;
    }
    for (int word = 0; word < s->words->count; word++) {
        if (!agrees(grid, code, slot, s->words, word)) {
            remove_word(f, slot, word);
        }
    }
    return 1;
}

/* Note which slots have each cell in common. Returns 0 if a cell is in more than two. */
static int build_crossings(Fill *f, const Grid *grid, Crossing *last) {
    for (int slot = 0; slot < f->slots; slot++) {
        for (int place = 0; place < f->slot[slot].words->length; place++) {
            const int cell = grid->slot.number[grid->slot.start[slot] + place];
            const Crossing before = last[cell];
            if (before.cell > 1) {
                return 0;
            }
            if (before.cell == 1) {
                Slot *s = f->slot + slot;
                Slot *other = f->slot + before.other;
                s->crossing[s->crossings] = (Crossing){cell, place, before.other, before.other_place};
                other->crossing[other->crossings] = (Crossing){cell, before.other_place, slot, place};
                s->crossings++;
                other->crossings++;
            }
            last[cell] = (Crossing){.cell = before.cell + 1, .other = slot, .other_place = place};
        }
    }
    return 1;
}

static EngineStatus build(Fill *f, const Grid *grid, int *code, Crossing *last) {
    const size_t slots = (size_t)f->slots + 1;
    const size_t state = slots + (size_t)f->cells;
    number_letters(f, grid, code);
    f->of_length = engine_allocate((size_t)f->lengths + 1, sizeof(Words));
    f->score = engine_allocate((size_t)grid->words + 1, sizeof(int));
    f->place_of = engine_allocate((size_t)grid->words + 1, sizeof(int));
    f->slot = engine_allocate(slots, sizeof(Slot));
    f->size = engine_allocate(state, sizeof(int));
    f->root = engine_allocate(state, sizeof(int));
    f->before = engine_allocate(slots, state * sizeof(int));
    f->chosen_slot = engine_allocate(slots, sizeof(int));
    f->chosen_word = engine_allocate(slots, sizeof(int));
    f->queue = engine_allocate(slots, sizeof(int));
    f->seen = engine_allocate((size_t)f->alphabet + 1, sizeof(int));
    f->tally = engine_allocate((size_t)f->alphabet + 1, sizeof(int));
    f->last = engine_allocate((size_t)f->alphabet + 1, sizeof(int));
    if ( !f->of_length || !f->score || !f->place_of || !f->slot || !f->size || !f->root || !f->before || !f->chosen_slot ||
        !f->chosen_word || !f->queue || !f->seen || !f->tally || !f->last || !sort_words(f, grid, code)) {
        return ENGINE_NO_MEMORY;
    }
    for (int slot = 0; slot < f->slots; slot++) {
        if (!build_slot(f, grid, code, slot)) {
            return ENGINE_NO_MEMORY;
        }
        wait_for(f, slot);
    }
    if (!build_crossings(f, grid, last)) {
        return ENGINE_OUT_OF_RANGE;
    }
    for (int cell = 0; cell < f->cells; cell++) {
        f->size[f->slots + cell] = INT_MAX;
    }
    f->letters = f->size + f->slots;
    propagate(f, INT_MAX);
    copy_state(f, f->root, f->size);
    return ENGINE_OK;
}

Fill *fill_new(const Grid *grid, EngineStatus *status) {
    *status = check_grid(grid);
    if (*status != ENGINE_OK) {
        return NULL;
    }
    Fill *f = engine_allocate(1, sizeof(Fill));
    int *code = engine_allocate(LARGEST_LETTER + 1, sizeof(int)); /* 1 more than the number of each letter of the words */
    Crossing *last = engine_allocate((size_t)grid->cells + 1, sizeof(Crossing)); /* `cell` counts the slots */
    *status = ENGINE_NO_MEMORY;
    if (f && code && last) {
        f->slots = grid->slots;
        f->cells = grid->cells;
        f->words = grid->words;
        f->distinct = grid->distinct;
        f->lengths = 1;
        for (int slot = 0; slot < grid->slots; slot++) {
            const int length = lists_length(&grid->slot, slot);
            f->lengths = length < f->lengths ? f->lengths : length + 1;
        }
        *status = build(f, grid, code, last);
    }
    engine_free(code);
    engine_free(last);
    if (*status != ENGINE_OK) {
        fill_free(f);
        return NULL;
    }
    return f;
}

int fill_candidates(const Fill *f, int slot, int *numbers) {
    for (int i = 0; i < f->root[slot]; i++) {
        numbers[i] = f->slot[slot].words->number[f->slot[slot].word[i]];
    }
    return f->root[slot];
}

void fill_free(Fill *f) {
    if (!f) {
        return;
    }
    for (int length = 0; f->of_length && length < f->lengths; length++) {
        engine_free(f->of_length[length].number);
        engine_free(f->of_length[length].letter);
        engine_free(f->of_length[length].having);
        engine_free(f->of_length[length].start);
    }
    for (int slot = 0; f->slot && slot < f->slots; slot++) {
        engine_free(f->slot[slot].word);
        engine_free(f->slot[slot].position);
        engine_free(f->slot[slot].crossing);
    }
    engine_free(f->of_length);
    engine_free(f->score);
    engine_free(f->place_of);
    engine_free(f->slot);
    engine_free(f->size);
    engine_free(f->root);
    engine_free(f->before);
    engine_free(f->chosen_slot);
    engine_free(f->chosen_word);
    engine_free(f->queue);
    engine_free(f->seen);
    engine_free(f->tally);
    engine_free(f->last);
    engine_free(f);
}
