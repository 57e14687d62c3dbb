// Multiplies matrices on the tensor cores, 16·K times in each warpgroup, by wgmma: the most TF32 (m64n256k8) or bf16
// (m64n256k16, with BF16) operations a second of a GPU of compute capability 9.0. Both operands lie in shared memory,
// in rows of 128 bytes whose pieces of 16 are swizzled. Each of two warpgroups has a tile of A; both read the same B.

#include <cstdint>

#define A_WORDS 2048                            // 64 rows of 128 bytes for a warpgroup
#define B_WORDS 8192                            // 256 rows

// How wgmma is told where a tile lies, in units of 16 bytes: its address, that 8 rows of 128 bytes come 64 units after
// the 8 before them, and the swizzle over 128 bytes.
__device__ __forceinline__ uint64_t describe(const void *tile)
{
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    return (address & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
#define D128 \
    "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27," \
    "%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53," \
    "%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79," \
    "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104," \
    "%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125," \
    "%126,%127"

// d += A (64 rows) · B (256 columns), by the four warps of a warpgroup together.
__device__ __forceinline__ void multiply(float (&d)[128], uint64_t a, uint64_t b)
{
#if BF16
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" D128 "}, %128, %129, 1, 1, 1, 0, 0;"
#else
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" D128 "}, %128, %129, 1, 1, 1;"
#endif
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80), SIXTEEN(96),
                   SIXTEEN(112)
                 : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
wgmma_rate(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(1024) float tiles[2 * A_WORDS + B_WORDS];
    const int group = __shfl_sync(0xffffffff, threadIdx.x / 128, 0);    // the same in a whole warp, and known to be
    float d[128];

    for (int i = threadIdx.x; i < 2 * A_WORDS + B_WORDS; i += THREADS) {
        tiles[i] = i < 2 * A_WORDS ? A[i % M] : B[i % M];
    }
    #pragma unroll
    for (int i = 0; i < 128; ++i) {
        d[i] = 0.0f;
    }
    // Separates the threads' stores from the tensor cores' reads, which go another way to shared memory.
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    const uint64_t a = describe(&tiles[group * A_WORDS]);
    const uint64_t b = describe(&tiles[2 * A_WORDS]);

    for (int k = 0; k < K; ++k) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        #pragma unroll
        for (int i = 0; i < 16; ++i) {
            multiply(d, a + i % 4 * 2, b + i % 4 * 2);                  // the next 32 bytes of each row
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // While these products are under way, those of the step before are done.
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    float total = 0.0f;
    #pragma unroll
    for (int i = 0; i < 128; ++i) {
        total += d[i];
    }
    C[blockIdx.x * THREADS + threadIdx.x] = total;
}
