// Where memory lies that a thread takes while it runs, as offsets in its own memory.
#include <alloca.h>

__device__ unsigned offset_of(void *memory) {
    unsigned offset;
    asm volatile("{.reg .u64 %%at; cvta.to.local.u64 %%at, %1; cvt.u32.u64 %0, %%at;}" : "=r"(offset) : "l"(memory));
    return offset;
}

__device__ __noinline__ unsigned within(int nbytes) {
    char *memory = (char *)alloca(nbytes);
    for (int i = 0; i < nbytes; i++) memory[i] = i;
    return offset_of(memory) + (nbytes ? memory[nbytes - 1] - (char)(nbytes - 1) : 0);
}

extern "C" __global__ void places(unsigned *out, int none, int a, int b) {
    unsigned *own = out + 10 * threadIdx.x;
    char *first = (char *)alloca(none), *second = (char *)alloca(a), *third = (char *)alloca(b);
    own[0] = offset_of(first);
    own[1] = offset_of(second);
    own[2] = offset_of(third);
    own[3] = offset_of(alloca(none));
    own[4] = within(a);
    own[5] = within(b);
    own[6] = within(a);
    for (int i = 0; i < 3; i++) own[7 + i] = offset_of(alloca(a));
}

// Threads of a warp take different numbers of bytes; every thread adds up what it wrote.
extern "C" __global__ void sums(int *out, int more, int none, int unused) {
    int count = threadIdx.x % 7 * 4 + more;
    int *memory = (int *)alloca(count * sizeof(int));
    if (threadIdx.x % 3 == 0) memory[0] = (int)within(none) * 0 + 5;
    for (int i = 0; i < count; i++) memory[i] = threadIdx.x * 1000 + i;
    int sum = 0;
    for (int i = 0; i < count; i++) sum += memory[i];
    out[threadIdx.x] = sum;
}
