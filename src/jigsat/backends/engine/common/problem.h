/* An exact-cover problem with conflicts and bounds, the input of the searches in this folder.

   The searches are plain C11. They use no operating system and no standard library: the calling program supplies two memory
   functions. So they also compile for targets without a C library, such as browsers (wasm32). */

#ifndef JIGSAT_ENGINE_PROBLEM_H
#define JIGSAT_ENGINE_PROBLEM_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Supplied by the calling program and used for all memory. Like calloc, `engine_allocate` returns `count * size` zeroed bytes, or
   NULL if there is not enough memory or the product overflows. `engine_free` accepts NULL. */
void *engine_allocate(size_t count, size_t size);
void engine_free(void *memory);

typedef enum {
    ENGINE_OK,
    ENGINE_NO_MEMORY,
    ENGINE_TOO_LARGE,     /* sizes that an `int` cannot count */
    ENGINE_OUT_OF_RANGE,  /* an option that does not exist, a literal beyond LARGEST_LITERAL or 0, or a negative bound */
    ENGINE_NOT_ASCENDING, /* the options of a set are not distinct and in ascending order */
} EngineStatus;

#define LARGEST_LITERAL (1 << 30)

/* Lists of numbers in one array: list i is number[start[i]], ..., number[start[i + 1] - 1], and start[0] is 0. */
typedef struct {
    int *start;
    int *number;
} Lists;

/* A solution is a set of options that meets each item exactly once, in which no two options conflict, and which keeps the
   bounds. Two options conflict if one has a literal and the other its negation. An option in no item is never chosen. */
typedef struct {
    int options; /* numbered from 0 */
    int items;
    int bounds;
    Lists sets;     /* for each item its options, then the same for each bound; each list in ascending order */
    Lists literals; /* for each option */
    int *least;     /* for each bound, the least number of its options in a solution */
    int *most;      /* and the greatest */
} Problem;

/* Whether the numbers of a problem are in range, so that no search can read or write outside its arrays. Assumes that the
   arrays have the lengths given by `start`. With `repeated`, bounds may list an option several times. */
EngineStatus problem_check(const Problem *problem, int repeated);

/* Whether some lists have numbers in a range only, and no negative lengths. Assumes an array of the length given by the last start. */
EngineStatus check_lists(const Lists *lists, int count, int least, int most);

/* Whether the numbers of each list ascend; with `repeated`, a number may occur several times. */
EngineStatus check_order(const Lists *lists, int from, int to, int repeated);

/* One literal of one option. */
typedef struct {
    int literal;
    int option;
} Occurrence;

/* All literals of all options, ordered by variable, the positive literals of each variable before the negative ones. There are
   literals.start[options] of them. Returns NULL without memory; free it with `engine_free`. */
Occurrence *problem_occurrences(const Problem *problem);

/* The occurrences of one variable: the positive literals begin at `first`, the negative ones at `negative`; `end` is after the last. */
typedef struct {
    int first;
    int negative;
    int end;
} Run;

/* Continue with the next variable; start with a run of zeros. Returns 0 after the last variable. */
int next_run(const Occurrence *occurrences, int count, Run *run);

/* Bit sets are arrays of these words. */
typedef uint64_t Word;
#define WORD_BITS 64

#if defined(__GNUC__) && !defined(ENGINE_PORTABLE)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* The number of bits that are set. */
ALWAYS_INLINE int count_bits(Word bits) {
#if defined(__GNUC__) && !defined(ENGINE_PORTABLE)
    return __builtin_popcountll(bits);
#else
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(bits * 0x0101010101010101u >> 56);
#endif
}

/* The position of the lowest bit that is set; there must be one. */
ALWAYS_INLINE int lowest_bit(Word bits) {
#if defined(__GNUC__) && !defined(ENGINE_PORTABLE)
    return __builtin_ctzll(bits);
#else
    return count_bits((bits & (~bits + 1)) - 1);
#endif
}

/* The next random number from 0 to below a bound (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA
   2014). `state` is any number at first. */
static inline int random_below(uint64_t *state, int bound) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t bits = *state;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return (int)(((bits ^ bits >> 31) >> 32) * (uint64_t)bound >> 32);
}

#endif
