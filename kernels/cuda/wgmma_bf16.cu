/*---
title   = "wgmma fed by the TMA"
order   = 330
entry   = "gemm_wgmma_bf16"
teaches = "One thread asks the Tensor Memory Accelerator (TMA) for tiles while two warpgroups multiply the tiles that have arrived. Nobody waits for the whole block, only for a tile to be full or free."
origin  = "written for the ladder: warp specialisation, as Hopper's own instructions ask for it"
requires = ["cuda", "sm_90a"]
arithmetic = "bf16"
operands = "bfloat16"
constraints = [
    {rule = "STAGES * 128 * (128 + BN) + 1024 <= shared_bytes_per_block", because = "STAGES tiles of A (128 x 64) and of B (64 x BN), of 2 bytes an element, must fit into the shared memory of one block"},
]
[params.BN]
label   = "Columns of C per block"
choices = [128, 192, 256]
default = 256
[params.STAGES]
label   = "Pipeline stages"
choices = [2, 3, 4, 5, 6]
default = 4
[params.CLUSTER]
label   = "Blocks per cluster"
choices = [1, 2]
default = 2
[launch]
block = ["128", "3"]
grid  = ["CLUSTER * ceil_div(ceil_div(M, 128 * CLUSTER) * ceil_div(N, BN), ceil_div(ceil_div(M, 128 * CLUSTER) * ceil_div(N, BN), compute_units // CLUSTER))"]
cluster = ["CLUSTER"]
shared_bytes = "STAGES * 128 * (128 + BN) + 1024"
static_shared_bytes = "0"
[tensor_maps.A]
box     = ["64", "128"]
swizzle = 128
[tensor_maps.B]
box     = ["64", "64"]
swizzle = 128
---*/

#include <cuda.h>
#include <stdint.h>

constexpr int BM = 128;                        // 64 rows for each of two warpgroups
constexpr int BK = 64;                         // 128 bytes: as far as the swizzle reaches
constexpr int BOX = 64 * BK * 2;               // bytes of a box of 64 columns of B
constexpr int A_BYTES = BM * BK * 2;
constexpr int STAGE = A_BYTES + BN / 64 * BOX;
constexpr int TOGETHER = 8;                    // clusters that go down C before the next column of tiles begins

__device__ __forceinline__ uint32_t shared_address(const void *pointer)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// An mbarrier counts arrivals, and bytes that the TMA has not delivered. When nothing is missing it turns to its other
// phase. `wait` returns when the phase of that parity is over.
__device__ __forceinline__ void wait(uint64_t *barrier, int parity)
{
    asm volatile("{\n.reg .pred over;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n@!over bra again;\n}"
                 ::"r"(shared_address(barrier)), "r"(parity) : "memory");
}

// Arrives at the barrier in the same place of another block of the cluster.
__device__ __forceinline__ void arrive(uint64_t *barrier, int block)
{
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n}"
                 ::"r"(shared_address(barrier)), "r"(block) : "memory");
}

// Asks the TMA for one box. Elements outside the matrix arrive as zeros.
__device__ __forceinline__ void fetch(void *to, const CUtensorMap *map, int col, int row, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];"
                 ::"r"(shared_address(to)), "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier)) : "memory");
}

// The same for all blocks of the cluster: it lands in the same place of each, and is counted at the barrier there.
__device__ __forceinline__ void fetch_for_all(void *to, const CUtensorMap *map, int col, int row, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%2, %3}], [%4], %5;"
                 ::"r"(shared_address(to)), "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier)),
                   "h"(static_cast<uint16_t>((1 << CLUSTER) - 1)) : "memory");
}

// How wgmma is told where a tile lies, in units of 16 bytes: its address, how far it is from 64 columns to the next 64
// (`across`), from 8 rows of 128 bytes to the next 8 (64 units), and that pieces of 16 bytes are swizzled over 128.
__device__ __forceinline__ uint64_t describe(const void *tile, int across)
{
    return (shared_address(tile) & 0x3ffff) >> 4 | static_cast<uint64_t>(across >> 4) << 16 | 64ull << 32 | 1ull << 62;
}

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
#define D64 \
    "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27," \
    "%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53," \
    "%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define D96 D64 \
    ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88," \
    "%89,%90,%91,%92,%93,%94,%95"
#define D128 D96 \
    ",%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116," \
    "%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define WGMMA(n, registers, a, b, more) \
    "{\n.reg .pred p;\nsetp.ne.b32 p, %" more ", 0;\n" \
    "wgmma.mma_async.sync.aligned.m64n" n "k16.f32.bf16.bf16 {" registers "}, %" a ", %" b ", p, 1, 1, 0, 1;\n}"

// d (+)= A (64 x 16) · B (16 x BN), by the four warps of a warpgroup together. The last 1 says that neighbours in a
// row of B lie side by side. The tensor cores work on after this returns; until a wait_group nobody may touch d.
__device__ __forceinline__ void multiply(float (&d)[BN / 2], uint64_t a, uint64_t b, int more)
{
#if BN == 256
    asm volatile(WGMMA("256", D128, "128", "129", "130")
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80), SIXTEEN(96),
                   SIXTEEN(112)
                 : "l"(a), "l"(b), "r"(more));
#elif BN == 192
    asm volatile(WGMMA("192", D96, "96", "97", "98")
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80)
                 : "l"(a), "l"(b), "r"(more));
#else
    asm volatile(WGMMA("128", D64, "64", "65", "66")
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48) : "l"(a), "l"(b), "r"(more));
#endif
}

// Tile number -> place in C, in units of a cluster's tiles. Neighbours in time are neighbours in C, so that what one
// block fetched is still in the L2 cache for the next; every other strip runs backwards.
__device__ __forceinline__ void place(int tile, int tiles_down, int tiles_across, int &down, int &across)
{
    const int strip = tile / (TOGETHER * tiles_across);
    const int rows = min(TOGETHER, tiles_down - strip * TOGETHER);
    const int rest = tile - strip * TOGETHER * tiles_across;
    down = strip * TOGETHER + rest % rows;
    across = strip % 2 ? tiles_across - 1 - rest / rows : rest / rows;
}

extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(384, 1)
gemm_wgmma_bf16(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, float *C,
                int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char stages[];        // the swizzle counts from multiples of 1024
    uint64_t *full = reinterpret_cast<uint64_t *>(stages + STAGES * STAGE);
    uint64_t *free = full + STAGES;

    const int group = __shfl_sync(0xffffffff, threadIdx.y, 0);       // the same in a whole warp, and known to be
    const int rank = blockIdx.x % CLUSTER;
    const int tiles_down = (M + BM * CLUSTER - 1) / (BM * CLUSTER);
    const int tiles_across = (N + BN - 1) / BN;
    const int steps = (K + BK - 1) / BK;
    const int first = blockIdx.x / CLUSTER;
    const int stride = gridDim.x / CLUSTER;
    int slot = 0;                                                    // a stage, and which time round
    int round = 0;

    if (threadIdx.x == 0 && group == 0) {
        for (int s = 0; s < STAGES; ++s) {
            // Full: one thread says how many bytes to expect. Free: eight warps in each block of the cluster.
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[s])));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&free[s])), "n"(8 * CLUSTER));
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    // Separates the initialisation of the barriers from their use, by other threads and by the other block's copies.
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");

    if (group == 0) {
        // The producer needs few registers and leaves the others to the warpgroups that multiply.
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0) {
            for (int tile = first; tile < tiles_down * tiles_across; tile += stride) {
                int down, across;
                place(tile, tiles_down, tiles_across, down, across);
                for (int step = 0; step < steps; ++step) {
                    unsigned char *a = stages + slot * STAGE;
                    // Separates the tensor cores' reads of this stage, in both blocks, from the copies into it.
                    wait(&free[slot], round % 2 ^ 1);
                    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                                 ::"r"(shared_address(&full[slot])), "n"(STAGE) : "memory");
                    fetch(a, &A, step * BK, (down * CLUSTER + rank) * BM, &full[slot]);
                    // The blocks of a cluster lie below each other and need the same B: each fetches half for both.
                    #pragma unroll
                    for (int box = 0; box < BN / 64; ++box) {
                        unsigned char *to = a + A_BYTES + box * BOX;
                        if (CLUSTER == 1) {
                            fetch(to, &B, across * BN + box * 64, step * BK, &full[slot]);
                        } else if ((box + step) % CLUSTER == rank) {
                            fetch_for_all(to, &B, across * BN + box * 64, step * BK, &full[slot]);
                        }
                    }
                    slot = slot + 1 == STAGES ? 0 : slot + 1;
                    round += slot == 0;
                }
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        const int warp = threadIdx.x / 32;
        const int lane = threadIdx.x % 32;
        const int odd = lane % 2;
        const uint64_t a = describe(stages + (group - 1) * BOX, 0);
        const uint64_t b = describe(stages + A_BYTES, BOX);
        float d[BN / 2];

        for (int tile = first; tile < tiles_down * tiles_across; tile += stride) {
            int down, across;
            place(tile, tiles_down, tiles_across, down, across);
            int before = 0;
            for (int step = 0; step < steps; ++step) {
                const int stage = slot * (STAGE >> 4);               // descriptors count in units of 16 bytes
                // Separates the copies into this stage from the tensor cores' reads of it.
                wait(&full[slot], round % 2);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
                #pragma unroll
                for (int k = 0; k < BK / 16; ++k) {                  // 16 columns of A on, 16 rows of B down
                    multiply(d, a + stage + k * 2, b + stage + k * 128, step + k > 0);
                }
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                // While these products are in flight, those of the step before are done with their stage.
                asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
                if (step > 0 && lane < CLUSTER) {
                    arrive(&free[before], lane);
                }
                before = slot;
                slot = slot + 1 == STAGES ? 0 : slot + 1;
                round += slot == 0;
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            #pragma unroll
            for (int i = 0; i < BN / 2; ++i) {
                asm volatile("" : "+f"(d[i]));                       // from here on, the compiler may read d
            }
            if (lane < CLUSTER) {
                arrive(&free[before], lane);
            }

            // A lane holds two neighbours of every eight columns, in two rows. Lanes exchange in pairs, so that the
            // even one has four of one eight and the odd one four of the next: 16 bytes a store, 64 a row. Meanwhile
            // the producer fetches the next tile.
            const int col = across * BN + odd * 8 + lane % 4 / 2 * 4;
            #pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int row = (down * CLUSTER + rank) * BM + (group - 1) * 64 + warp * 16 + half * 8 + lane / 4;
                const int left = row < M ? N - col : 0;
                float *out = C + static_cast<long long>(row) * N + col;
                #pragma unroll
                for (int i = 0; i < BN / 8; i += 2) {
                    float x0 = d[4 * i + 2 * half];
                    float x1 = d[4 * i + 2 * half + 1];
                    float y0 = d[4 * i + 2 * half + 4];
                    float y1 = d[4 * i + 2 * half + 5];
                    const float got0 = __shfl_xor_sync(0xffffffff, odd ? x0 : y0, 1);
                    const float got1 = __shfl_xor_sync(0xffffffff, odd ? x1 : y1, 1);
                    x0 = odd ? got0 : x0;
                    x1 = odd ? got1 : x1;
                    y0 = odd ? y0 : got0;
                    y1 = odd ? y1 : got1;
                    if (i * 8 < left) {
                        __stcs(reinterpret_cast<float4 *>(out + i * 8), make_float4(x0, x1, y0, y1));
                    }
                }
            }
        }
    }
    // Separates the last copies and arrivals that come from the other block from this block's end.
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
