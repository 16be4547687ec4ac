/* The memory of a counting search: a hash table of states, and their numbers in chunks of words. */

#include "count/inner.h"

#define FIRST_SLOTS ((size_t)1 << 12)

Word *count_reserve(Count *c, size_t words) {
    if (words > (c->limit - c->memory) / sizeof(Word)) {
        return NULL;
    }
    Word *memory = engine_allocate(words, sizeof(Word));
    c->memory += memory ? words * sizeof(Word) : 0;
    return memory;
}

Word *count_reserve_rows(Count *c, int rows, int columns) {
    if (columns && (size_t)rows > SIZE_MAX / sizeof(Word) / (size_t)columns - 1) {
        return NULL;
    }
    return count_reserve(c, (size_t)rows * (size_t)columns + 1);
}

static void put_slot(Word *slots, size_t capacity, Word hash, Word slot) {
    size_t i = (size_t)hash & (capacity - 1);
    while (slots[i]) {
        i = (i + 1) & (capacity - 1);
    }
    slots[i] = slot;
}

int count_grow_table(Count *c) {
    const size_t capacity = c->capacity ? 2 * c->capacity : FIRST_SLOTS;
    Word *slots = count_reserve(c, capacity);
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
    Word *chunk = count_reserve(c, CHUNK_WORDS);
    if (!chunk) {
        return 0;
    }
    c->chunks[c->chunk_count] = chunk;
    c->chunk_count++;
    c->top = 0;
    return 1;
}

int count_remember(Count *c, int level) {
    const Frame *frame = c->frames + level;
    const Word *state = c->states + (size_t)level * (size_t)c->width;
    const Word *number = c->numbers + (size_t)level * (size_t)c->limbs;
    const int is_long = frame->length > 1 || number[0] >= LONG_VALUE;
    const size_t size = (size_t)c->width + 1 + (is_long ? (size_t)frame->length : 0);
    if (c->used >= c->capacity / 4 * 3 && !count_grow_table(c)) {
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
