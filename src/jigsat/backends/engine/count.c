/* Counting exact covers with memoised states (Nishino, Yasuda, Minato and Nagata, Dancing with Decision Diagrams, AAAI 2017).

   A state contains everything on which the number of completions depends:
   - one bit per open item;
   - one bit per literal of a chosen option that some selectable option negates;
   - for each bound, the number of its chosen options.
   Irrelevant bits are cleared, so that states with the same completions are equal. Whole states are compared, not only their
   hashes.

   The search branches on the first open item in the order of the problem, so it only tries options whose first item this is. */

#include "count_inner.h"

#define CHUNK_WORDS ((size_t)1 << 16)
#define FIRST_SLOTS ((size_t)1 << 12)
#define OFFSET_BITS 40 /* of a slot; the rest is part of the hash */
#define LOOKS 4096 /* after this many checks, regions are only checked if one check in WORTH found a misfit */
#define WORTH 4
#define LONG_VALUE ((Word)1 << 63)

/* ---- numbers ---- */

/* Add to the number of a level. There is room for every sum: see `most_limbs`. */
static void add_number(Count *c, int level, const Word *words, int length) {
    Word *sum = c->numbers + (size_t)level * (size_t)c->limbs;
    Frame *frame = c->frames + level;
    Word carry = 0;
    for (int i = 0; i < length || carry; i++) {
        const Word word = i < length ? words[i] : 0;
        const Word partial = sum[i] + carry;
        carry = partial < carry;
        sum[i] = partial + word;
        carry += sum[i] < word;
        if (i >= frame->length && sum[i]) {
            frame->length = i + 1;
        }
    }
}

/* ---- memoised states ---- */

static Word hash_state(const Word *state, int width) {
    Word hash = 0x9e3779b97f4a7c15u;
    for (int w = 0; w < width; w++) {
        hash = (hash ^ state[w]) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    hash *= 0xc4ceb9fe1a85ec53u;
    return hash ^ hash >> 29;
}

static Word *entry_at(const Count *c, Word slot) {
    const size_t offset = (size_t)((slot & (((Word)1 << OFFSET_BITS) - 1)) - 1);
    return c->chunks[offset / CHUNK_WORDS] + offset % CHUNK_WORDS;
}

/* The stored number of a state: its words and their count; NULL if the state is new. */
static const Word *find_state(const Count *c, const Word *state, Word hash, int *length) {
    const Word tag = hash >> OFFSET_BITS;
    for (size_t i = (size_t)hash & (c->capacity - 1);; i = (i + 1) & (c->capacity - 1)) {
        const Word slot = c->slots[i];
        if (!slot) {
            return NULL;
        }
        if (slot >> OFFSET_BITS != tag) {
            continue;
        }
        const Word *entry = entry_at(c, slot);
        int w = 0;
        while (w < c->width && entry[w] == state[w]) {
            w++;
        }
        if (w == c->width) {
            const Word *value = entry + w;
            *length = *value & LONG_VALUE ? (int)(*value - LONG_VALUE) : *value != 0;
            return *value & LONG_VALUE ? value + 1 : value;
        }
    }
}

/* Allocate words; NULL if the memory limit does not allow it. */
static Word *reserve(Count *c, size_t words) {
    if (words > (c->limit - c->memory) / sizeof(Word)) {
        return NULL;
    }
    Word *memory = engine_allocate(words, sizeof(Word));
    c->memory += memory ? words * sizeof(Word) : 0;
    return memory;
}

static void put_slot(Word *slots, size_t capacity, Word hash, Word slot) {
    size_t i = (size_t)hash & (capacity - 1);
    while (slots[i]) {
        i = (i + 1) & (capacity - 1);
    }
    slots[i] = slot;
}

static int grow_slots(Count *c) {
    const size_t capacity = c->capacity ? 2 * c->capacity : FIRST_SLOTS;
    Word *slots = reserve(c, capacity);
    if (!slots) {
        return 0;
    }
    for (size_t i = 0; i < c->capacity; i++) {
        if (c->slots[i]) {
            put_slot(slots, capacity, hash_state(entry_at(c, c->slots[i]), c->width), c->slots[i]);
        }
    }
    engine_free(c->slots);
    c->memory -= c->capacity * sizeof(Word);
    c->slots = slots;
    c->capacity = capacity;
    return 1;
}

static int add_chunk(Count *c) {
    if (c->chunk_count == c->most_chunks) {
        return 0;
    }
    Word *chunk = reserve(c, CHUNK_WORDS);
    if (!chunk) {
        return 0;
    }
    c->chunks[c->chunk_count] = chunk;
    c->chunk_count++;
    c->top = 0;
    return 1;
}

/* Store the number of a level. Returns 0 if the memory is full. */
static int remember(Count *c, int level) {
    const Frame *frame = c->frames + level;
    const Word *state = c->states + (size_t)level * (size_t)c->width;
    const Word *number = c->numbers + (size_t)level * (size_t)c->limbs;
    const int is_long = frame->length > 1 || number[0] >= LONG_VALUE;
    const size_t size = (size_t)c->width + 1 + (is_long ? (size_t)frame->length : 0);
    if (c->used >= c->capacity / 4 * 3 && !grow_slots(c)) {
        return 0;
    }
    if ((!c->chunk_count || c->top + size > CHUNK_WORDS) && !add_chunk(c)) {
        return 0;
    }
    Word *entry = c->chunks[c->chunk_count - 1] + c->top;
    for (int w = 0; w < c->width; w++) {
        entry[w] = state[w];
    }
    entry[c->width] = is_long ? LONG_VALUE + (Word)frame->length : number[0];
    for (int i = 0; is_long && i < frame->length; i++) {
        entry[c->width + 1 + i] = number[i];
    }
    const Word offset = (Word)(c->chunk_count - 1) * CHUNK_WORDS + c->top;
    put_slot(c->slots, c->capacity, frame->hash, frame->hash >> OFFSET_BITS << OFFSET_BITS | (offset + 1));
    c->top += size;
    c->used++;
    return 1;
}

/* ---- the search ---- */

/* The first open item of a state; `items` if none is open. */
static int first_open(const Count *c, const Word *state) {
    for (int w = 0; w * WORD_BITS < c->items; w++) {
        Word open = state[w];
        if ((w + 1) * WORD_BITS > c->items) {
            open &= ((Word)1 << c->items % WORD_BITS) - 1; /* other bits follow in the same word */
        }
        if (open) {
            return w * WORD_BITS + lowest_bit(open);
        }
    }
    return c->items;
}

/* Count an option in its bounds. Returns 0 if a bound is exceeded. */
static int count_in_bounds(const Count *c, Word *state, int option) {
    for (int i = c->counted[option]; i < c->counted[option + 1]; i++) {
        const Field *field = c->field + c->field_of[i];
        const Word taken = (state[field->word] >> field->shift & field->mask) + 1;
        if (taken > field->most) {
            return 0;
        }
        if (taken <= field->cap) {
            state[field->word] += (Word)1 << field->shift;
        }
    }
    return 1;
}

/* Whether the bounds that get no options from the item `to` on, but did from the item `from` on, have enough options. */
static int bounds_reached(const Count *c, const Word *state, int from, int to) {
    for (int i = c->end[from + 1]; i < c->end[to + 1]; i++) {
        const Field *field = c->field + c->ending[i];
        if ((state[field->word] >> field->shift & field->mask) < field->least) {
            return 0;
        }
    }
    return 1;
}

/* Choose an option at a level and compute the state of the next level. Returns 0 if the option cannot be chosen. */
static int choose(Count *c, int level, int option) {
    const int width = c->width;
    const Word *state = c->states + (size_t)level * (size_t)width;
    const Word *need = mask_of(c, option, NEED);
    const Word *care = mask_of(c, option, CARE);
    const Word *keep = mask_of(c, option, KEEP);
    const Word *set = mask_of(c, option, SET);
    Word *next = c->states + (size_t)(level + 1) * (size_t)width;
    for (int w = 0; w < width; w++) {
        if ((state[w] ^ need[w]) & care[w]) {
            return 0;
        }
    }
    for (int w = 0; w < width; w++) {
        next[w] = (state[w] & keep[w]) | set[w];
    }
    if (c->bounds && !count_in_bounds(c, next, option)) {
        return 0;
    }
    const int item = first_open(c, next);
    if (c->bounds && !bounds_reached(c, next, c->frames[level].item, item)) {
        return 0;
    }
    const Word *relevant = c->relevant + (size_t)item * (size_t)width;
    for (int w = 0; w < width; w++) {
        next[w] &= relevant[w];
    }
    c->frames[level + 1].item = item;
    return 1;
}

/* Remove the region of the lowest item from `rest` and return its number of items. */
static int take_region(const Count *c, int word) {
    const int width = c->item_width;
    int size = 0;
    c->edge[word] = c->rest[word] & (~c->rest[word] + 1);
    c->rest[word] &= ~c->edge[word];
    for (int w = word; w < width;) {
        if (!c->edge[w]) {
            w++;
            continue;
        }
        const Word *near = c->near + (size_t)(w * WORD_BITS + lowest_bit(c->edge[w])) * (size_t)width;
        c->edge[w] &= c->edge[w] - 1;
        size++;
        for (int v = width - 1; v >= 0; v--) {
            const Word new = near[v] & c->rest[v];
            c->rest[v] &= ~new;
            c->edge[v] |= new;
            w = new && v < w ? v : w;
        }
    }
    return size;
}

/* Whether the number of items of each open region is a multiple of `unit`. */
static int regions_fit(Count *c, const Word *state) {
    c->looks++;
    for (int w = 0; w < c->item_width; w++) {
        c->rest[w] = state[w] & c->local[w];
    }
    for (int w = 0; w < c->item_width; w++) {
        while (c->rest[w]) {
            if (take_region(c, w) % c->unit) {
                c->misfits++;
                return 0;
            }
        }
    }
    return 1;
}

/* Begin a level whose state has been computed. */
static void enter(Count *c, int level, Word hash) {
    Frame *frame = c->frames + level;
    Word *number = c->numbers + (size_t)level * (size_t)c->limbs;
    for (int i = 0; i < frame->length; i++) {
        number[i] = 0;
    }
    frame->length = 0;
    frame->option = c->first[frame->item];
    frame->live = 0;
    frame->hash = hash;
    c->depth = level;
    c->nodes++;
}

/* Try the next option of the last level. */
static void try_option(Count *c) {
    static const Word one = 1;
    Frame *frame = c->frames + c->depth;
    const int option = frame->option++;
    if (!choose(c, c->depth, option)) {
        return;
    }
    frame->live = 1;
    if (frame[1].item == c->items) {
        add_number(c, c->depth, &one, 1);
        return;
    }
    const Word *next = c->states + (size_t)(c->depth + 1) * (size_t)c->width;
    const int looking = c->near && (c->looks < LOOKS || c->misfits >= c->looks / WORTH);
    if (looking && !regions_fit(c, next)) {
        return;
    }
    const Word hash = hash_state(next, c->width);
    int length;
    const Word *number = find_state(c, next, hash, &length);
    if (number) {
        c->hits++;
        add_number(c, c->depth, number, length);
        return;
    }
    enter(c, c->depth + 1, hash);
}

/* The last level is done: store its number and add it to the previous level. Returns 0 if the memory is full. */
static int leave(Count *c) {
    const int level = c->depth;
    const Word *number = c->numbers + (size_t)level * (size_t)c->limbs;
    const Frame *frame = c->frames + level;
    if (level == 0) {
        c->result_length = frame->length;
        c->depth = -1;
        return 1;
    }
    if (frame->live && !remember(c, level)) { /* if no option could be chosen, counting again is faster than storing */
        return 0;
    }
    add_number(c, level - 1, number, frame->length);
    c->depth--;
    return 1;
}

CountState count_step(Count *c, uint64_t nodes) {
    const uint64_t before = c->nodes;
    while (c->depth >= 0) {
        if (c->nodes - before >= nodes) {
            return COUNT_WORKING;
        }
        const Frame *frame = c->frames + c->depth;
        if (frame->option < c->first[frame->item + 1]) {
            try_option(c);
        } else if (!leave(c)) {
            return COUNT_FULL;
        }
    }
    return COUNT_DONE;
}

const Word *count_choice(Count *c, int level, int option, int *length) {
    static const Word one = 1;
    *length = 0;
    if (!choose(c, level, option)) {
        return NULL;
    }
    if (c->frames[level + 1].item == c->items) {
        *length = 1;
        return &one;
    }
    const Word *next = c->states + (size_t)(level + 1) * (size_t)c->width;
    return find_state(c, next, hash_state(next, c->width), length); /* states without solutions may not be stored */
}

int count_result(const Count *c, const Word **words) {
    *words = c->numbers;
    return c->depth < 0 ? c->result_length : -1;
}

uint64_t count_nodes(const Count *c) {
    return c->nodes;
}

uint64_t count_states(const Count *c) {
    return c->used;
}

uint64_t count_hits(const Count *c) {
    return c->hits;
}

size_t count_memory(const Count *c) {
    return c->memory;
}

double count_found(const Count *c) {
    double found = 0;
    for (int level = 0; level == 0 || level <= c->depth; level++) {
        const Word *number = c->numbers + (size_t)level * (size_t)c->limbs;
        double sum = 0;
        const int length = c->depth < 0 ? c->result_length : c->frames[level].length;
        for (int i = length - 1; i >= 0; i--) {
            sum = sum * 18446744073709551616.0 + (double)number[i];
        }
        found += sum;
    }
    return found;
}

double count_progress(const Count *c) {
    double done = c->depth < 0;
    double part = 1;
    for (int level = 0; level <= c->depth; level++) {
        const Frame *frame = c->frames + level;
        const int first = c->first[frame->item];
        const int number = c->first[frame->item + 1] - first;
        const int below = level < c->depth; /* the option tried last must be repeated */
        if (!number) {
            break;
        }
        part /= number;
        done += part * (frame->option - first - below);
    }
    return done;
}

/* ---- a new search ---- */

static void forget_regions(Count *c) {
    engine_free(c->near);
    engine_free(c->local);
    engine_free(c->rest);
    engine_free(c->edge);
    c->near = NULL;
    c->local = NULL;
    c->rest = NULL;
    c->edge = NULL;
}

void count_free(Count *c) {
    if (!c) {
        return;
    }
    for (size_t i = 0; i < c->chunk_count; i++) {
        engine_free(c->chunks[i]);
    }
    engine_free(c->chunks);
    engine_free(c->slots);
    engine_free(c->number);
    engine_free(c->first);
    engine_free(c->masks);
    engine_free(c->counted);
    engine_free(c->field_of);
    engine_free(c->field);
    engine_free(c->ending);
    engine_free(c->end);
    engine_free(c->relevant);
    engine_free(c->states);
    engine_free(c->numbers);
    engine_free(c->frames);
    forget_regions(c);
    engine_free(c);
}

/* Temporary data for building a search. Options are identified by their position in the order by first items. */
typedef struct {
    const Problem *problem;
    int *first_item;  /* of each option of the problem; -1 for one in no item */
    int *position;    /* of each option in the order by first items; -1 for one in no item */
    Occurrence *occurrences;
    int count;        /* of the occurrences */
    int bits;         /* of a state */
    Word *common;     /* room for one row */
    Word *irrelevant; /* a row for each item: literals that are irrelevant when it is closed */
} Plan;

static void free_plan(Plan *plan) {
    engine_free(plan->first_item);
    engine_free(plan->position);
    engine_free(plan->occurrences);
    engine_free(plan->common);
    engine_free(plan->irrelevant);
}

/* Allocate rows of words; NULL without memory. */
static Word *reserve_rows(Count *c, int rows, int columns) {
    if (columns && (size_t)rows > SIZE_MAX / sizeof(Word) / (size_t)columns - 1) {
        return NULL;
    }
    return reserve(c, (size_t)rows * (size_t)columns + 1);
}

static void set_bit(Word *bits, int bit) {
    bits[bit / WORD_BITS] |= (Word)1 << bit % WORD_BITS;
}

/* Sort the options by their first items. */
static EngineStatus sort_options(Count *c, Plan *plan) {
    const Problem *problem = plan->problem;
    c->number = engine_allocate((size_t)problem->options + 1, sizeof(int));
    c->first = engine_allocate((size_t)c->items + 2, sizeof(int));
    plan->first_item = engine_allocate((size_t)problem->options + 1, sizeof(int));
    plan->position = engine_allocate((size_t)problem->options + 1, sizeof(int));
    if (!c->number || !c->first || !plan->first_item || !plan->position) {
        return ENGINE_NO_MEMORY;
    }
    for (int o = 0; o < problem->options; o++) {
        plan->first_item[o] = -1;
        plan->position[o] = -1;
    }
    for (int i = c->items - 1; i >= 0; i--) {
        for (int j = problem->sets.start[i]; j < problem->sets.start[i + 1]; j++) {
            plan->first_item[problem->sets.number[j]] = i;
        }
    }
    for (int o = 0; o < problem->options; o++) {
        if (plan->first_item[o] >= 0) {
            c->first[plan->first_item[o] + 2]++;
            c->options++;
        }
    }
    for (int i = 0; i < c->items; i++) {
        c->first[i + 2] += c->first[i + 1];
    }
    for (int o = 0; o < problem->options; o++) {
        if (plan->first_item[o] >= 0) {
            plan->position[o] = c->first[plan->first_item[o] + 1]++; /* at the end this is the start of the next item */
            c->number[plan->position[o]] = o;
        }
    }
    return ENGINE_OK;
}

/* The literals of the options that can be chosen, in order. Returns NULL without memory. */
static Occurrence *choosable_occurrences(const Plan *plan, int *count) {
    Occurrence *occurrences = problem_occurrences(plan->problem);
    *count = 0;
    for (int i = 0; occurrences && i < plan->problem->literals.start[plan->problem->options]; i++) {
        if (plan->position[occurrences[i].option] >= 0) {
            occurrences[(*count)++] = occurrences[i];
        }
    }
    return occurrences;
}

/* Assign the bits of a state: one for each item, one for each literal that some option has and some option negates, and enough for
   each bound. */
static EngineStatus lay_out(Count *c, Plan *plan) {
    plan->bits = c->items;
    Run run = {0};
    while (next_run(plan->occurrences, plan->count, &run)) {
        if (run.first < run.negative && run.negative < run.end) {
            if (plan->bits > INT_MAX - 2) {
                return ENGINE_TOO_LARGE;
            }
            plan->bits += 2;
        }
    }
    c->field = engine_allocate((size_t)c->bounds + 1, sizeof(Field));
    if (!c->field) {
        return ENGINE_NO_MEMORY;
    }
    for (int i = 0; i < c->bounds; i++) {
        const Lists *sets = &plan->problem->sets;
        Field *field = c->field + i;
        const int size = sets->start[c->items + i + 1] - sets->start[c->items + i];
        const int can_exceed = plan->problem->most[i] < size;
        field->least = (Word)plan->problem->least[i];
        field->most = can_exceed ? (Word)plan->problem->most[i] : (Word)size;
        field->cap = can_exceed ? field->most : field->least < field->most ? field->least : field->most;
        int bits = 1;
        while (field->cap >> bits) {
            bits++;
        }
        if (plan->bits > INT_MAX - WORD_BITS - bits) {
            return ENGINE_TOO_LARGE;
        }
        if (plan->bits % WORD_BITS + bits > WORD_BITS) {
            plan->bits += WORD_BITS - plan->bits % WORD_BITS;
        }
        field->word = plan->bits / WORD_BITS;
        field->shift = plan->bits % WORD_BITS;
        field->mask = ((Word)1 << bits) - 1;
        field->last = -1;
        plan->bits += bits;
    }
    c->width = plan->bits / WORD_BITS + 1;
    return ENGINE_OK;
}

/* The maximum words of a number, which is at most the product over the items of the number of options with this first item. */
static int most_limbs(const Count *c) {
    long long bits = 0;
    for (int i = 0; i < c->items; i++) {
        int options = c->first[i + 1] - c->first[i];
        for (; options; options >>= 1) {
            bits++;
        }
    }
    return (int)(bits / WORD_BITS) + 2;
}

static EngineStatus allocate_all(Count *c, Plan *plan) {
    c->limbs = most_limbs(c);
    if (c->options > INT_MAX / ROWS) {
        return ENGINE_TOO_LARGE;
    }
    c->masks = reserve_rows(c, c->options * ROWS, c->width);
    c->relevant = reserve_rows(c, c->items + 1, c->width);
    c->states = reserve_rows(c, c->items + 2, c->width);
    c->numbers = reserve_rows(c, c->items + 2, c->limbs);
    c->frames = engine_allocate((size_t)c->items + 2, sizeof(Frame));
    c->counted = engine_allocate((size_t)c->options + 2, sizeof(int));
    c->ending = engine_allocate((size_t)c->bounds + 1, sizeof(int));
    c->end = engine_allocate((size_t)c->items + 3, sizeof(int));
    c->most_chunks = c->limit / sizeof(Word) / CHUNK_WORDS;
    c->chunks = engine_allocate(c->most_chunks + 1, sizeof(Word *));
    plan->common = reserve_rows(c, 1, c->width);
    plan->irrelevant = reserve_rows(c, c->items + 1, c->width);
    const int rows = c->masks && c->relevant && c->states && c->numbers && plan->common && plan->irrelevant;
    const int others = c->frames && c->counted && c->ending && c->end && c->chunks;
    return rows && others && grow_slots(c) ? ENGINE_OK : ENGINE_NO_MEMORY;
}

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

/* The bounds of each option, and the item after which a bound gets no more options. */
static EngineStatus index_bounds(Count *c, const Plan *plan) {
    const Lists *sets = &plan->problem->sets;
    const int begin = sets->start[c->items];
    const int entries = sets->start[c->items + c->bounds] - begin;
    c->field_of = engine_allocate((size_t)entries + 1, sizeof(int));
    if (!c->field_of) {
        return ENGINE_NO_MEMORY;
    }
    for (int j = begin; j < begin + entries; j++) {
        if (plan->position[sets->number[j]] >= 0) {
            c->counted[plan->position[sets->number[j]] + 2]++;
        }
    }
    for (int o = 0; o < c->options; o++) {
        c->counted[o + 2] += c->counted[o + 1];
    }
    for (int i = 0; i < c->bounds; i++) {
        Field *field = c->field + i;
        for (int j = sets->start[c->items + i]; j < sets->start[c->items + i + 1]; j++) {
            const int option = sets->number[j];
            if (plan->position[option] >= 0) {
                c->field_of[c->counted[plan->position[option] + 1]++] = i;
                field->last = plan->first_item[option] > field->last ? plan->first_item[option] : field->last;
            }
        }
    }
    return ENGINE_OK;
}

/* Order the bounds by the items after which they get no more options. Bounds without options come first. */
static void order_bounds(Count *c) {
    for (int i = 0; i < c->bounds; i++) {
        c->end[c->field[i].last + 2]++;
    }
    for (int i = 0; i <= c->items; i++) {
        c->end[i + 1] += c->end[i];
    }
    for (int i = 0; i < c->bounds; i++) {
        c->ending[c->end[c->field[i].last + 1]++] = i;
    }
    for (int i = c->items + 1; i > 0; i--) { /* each is now the start of the next one */
        c->end[i] = c->end[i - 1];
    }
    c->end[0] = 0;
    for (int i = 0; i < c->bounds; i++) {
        const Field *field = c->field + i;
        for (int item = 0; item <= field->last; item++) {
            c->relevant[(size_t)item * (size_t)c->width + (size_t)field->word] |= field->mask << field->shift;
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

/* All items are open, no literal is set, and no option is chosen. */
static void start_search(Count *c) {
    Frame *frame = c->frames;
    for (int i = 0; i < c->items; i++) {
        set_bit(c->states, i);
    }
    frame->item = first_open(c, c->states);
    c->depth = -1;
    if (!bounds_reached(c, c->states, -1, frame->item)) {
        return;
    }
    if (!c->items) {
        c->numbers[0] = 1;
        c->result_length = 1;
        return;
    }
    enter(c, 0, 0);
}

static EngineStatus build(Count *c, Plan *plan) {
    EngineStatus status = problem_check(plan->problem, 1);
    if (status != ENGINE_OK) {
        return status;
    }
    c->items = plan->problem->items;
    c->bounds = plan->problem->bounds;
    status = sort_options(c, plan);
    if (status != ENGINE_OK) {
        return status;
    }
    plan->occurrences = choosable_occurrences(plan, &plan->count);
    if (!plan->occurrences) {
        return ENGINE_NO_MEMORY;
    }
    status = lay_out(c, plan);
    if (status != ENGINE_OK) {
        return status;
    }
    status = allocate_all(c, plan);
    if (status != ENGINE_OK) {
        return status;
    }
    mask_items(c, plan);
    mask_literals(c, plan);
    status = index_bounds(c, plan);
    if (status != ENGINE_OK) {
        return status;
    }
    order_bounds(c);
    finish_masks(c, plan);
    start_search(c);
    return ENGINE_OK;
}

Count *count_new(const Problem *problem, size_t memory, EngineStatus *status) {
    Plan plan = {.problem = problem};
    Count *c = engine_allocate(1, sizeof(Count));
    *status = ENGINE_NO_MEMORY;
    if (c) {
        c->limit = memory;
        *status = build(c, &plan);
    }
    free_plan(&plan);
    if (*status != ENGINE_OK) {
        count_free(c);
        return NULL;
    }
    return c;
}

/* ---- regions ---- */

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
    forget_regions(c);
    c->item_width = (c->items + WORD_BITS - 1) / WORD_BITS;
    c->near = reserve_rows(c, c->items, c->item_width);
    c->local = reserve_rows(c, 1, c->item_width);
    c->rest = reserve_rows(c, 1, c->item_width);
    c->edge = reserve_rows(c, 1, c->item_width);
    if (!c->near || !c->local || !c->rest || !c->edge) {
        forget_regions(c);
        return ENGINE_NO_MEMORY;
    }
    for (int i = 0; i < c->items; i++) {
        for (int j = near->start[i]; j < near->start[i + 1]; j++) {
            if (!connect(c, i, near->number[j])) {
                forget_regions(c);
                return ENGINE_OUT_OF_RANGE;
            }
        }
    }
    if (!options_are_connected(c) || c->unit < 2) {
        forget_regions(c);
    }
    return ENGINE_OK;
}
