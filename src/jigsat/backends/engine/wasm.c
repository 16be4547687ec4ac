/* The searches as a WebAssembly module, which has neither an operating system nor a C library: memory, and functions whose arguments
   and results are numbers that JavaScript represents exactly. `wasm.py` is the other side. */

#include "count/count.h"
#include "cover/cover.h"
#include "fill/fill.h"

#define EXPORTED(name) __attribute__((export_name(name)))
#define PAGE 65536u
#define CLASSES 32

/* A block has room for 1 << class bytes after this header. Freed blocks are kept in lists, one per class. */
typedef struct Block {
    struct Block *next;
    int class;
    int unused[2]; /* so that the room is aligned to 16 bytes */
} Block;

extern unsigned char __heap_base; /* set by the linker */

static Block *freed[CLASSES];
static uint64_t top; /* the first byte that was never used; 0 before the first call */

/* Memory that was never used, so it is zero; NULL if there is no more. */
static Block *unused_block(int class) {
    if (top == 0) {
        top = ((uintptr_t)&__heap_base + 15) & ~(uint64_t)15;
    }
    const uint64_t end = top + sizeof(Block) + ((uint64_t)1 << class);
    const uint64_t there = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
    if (end > there && __builtin_wasm_memory_grow(0, (size_t)((end - there + PAGE - 1) / PAGE)) == (size_t)-1) {
        return NULL;
    }
    Block *block = (Block *)(uintptr_t)top;
    top = end;
    return block;
}

void *engine_allocate(size_t count, size_t size) {
    const uint64_t bytes = (uint64_t)count * size;
    int class = 4;
    while (class < CLASSES && bytes > (uint64_t)1 << class) {
        class++;
    }
    if (class == CLASSES) {
        return NULL;
    }
    Block *block = freed[class];
    if (block) {
        freed[class] = block->next;
        __builtin_memset(block + 1, 0, (size_t)1 << class);
    } else {
        block = unused_block(class);
    }
    if (!block) {
        return NULL;
    }
    block->class = class;
    return block + 1;
}

void engine_free(void *memory) {
    if (memory) {
        Block *block = (Block *)memory - 1;
        block->next = freed[block->class];
        freed[block->class] = block;
    }
}

EXPORTED("allocate") void *allocate(uint32_t bytes) {
    return engine_allocate(bytes, 1);
}

EXPORTED("release") void release(void *memory) {
    engine_free(memory);
}

EXPORTED("cover_steps") int cover_steps(Cover *search, uint32_t nodes) {
    return (int)cover_step(search, nodes);
}

EXPORTED("cover_visited") double cover_visited(const Cover *search) {
    return (double)cover_nodes(search);
}

EXPORTED("count_steps") int count_steps(Count *search, uint32_t nodes) {
    return (int)count_step(search, nodes);
}

EXPORTED("count_visited") double count_visited(const Count *search) {
    return (double)count_nodes(search);
}

EXPORTED("count_stored") double count_stored(const Count *search) {
    return (double)count_states(search);
}

EXPORTED("count_met") double count_met(const Count *search) {
    return (double)count_hits(search);
}

EXPORTED("fill_try") int fill_try(Fill *fill, int slot, int word, const Lists *preferred, uint32_t words) {
    return (int)fill_search(fill, slot, word, preferred, words);
}

EXPORTED("fill_number_tried") double fill_number_tried(const Fill *fill) {
    return (double)fill_tried(fill);
}
