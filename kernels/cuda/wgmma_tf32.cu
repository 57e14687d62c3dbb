/*---
title   = "wgmma in TF32, transposed"
order   = 320
entry   = "sgemm_wgmma_tf32"
teaches = "wgmma reads 32-bit operands from shared memory only with K innermost, and a row-major B is not. The kernel computes C^T = B^T A^T instead and passes B^T through registers: loading it transposes it."
origin  = "written for the ladder: warp specialisation for float32 matrices"
requires = ["cuda", "sm_90a"]
arithmetic = "tf32"
operands = "float32"
constraints = [
    {rule = "STAGES * 128 * (BM + 128) + 1024 <= shared_bytes_per_block", because = "STAGES tiles of A (BM x 32) and of B (32 x 128), of 4 bytes an element, must fit into the shared memory of one block"},
]
[params.BM]
label   = "Rows of C per block"
choices = [128, 256]
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
grid  = ["CLUSTER * ceil_div(ceil_div(M, BM) * ceil_div(N, 128 * CLUSTER), ceil_div(ceil_div(M, BM) * ceil_div(N, 128 * CLUSTER), compute_units // CLUSTER))"]
cluster = ["CLUSTER"]
shared_bytes = "STAGES * 128 * (BM + 128) + 1024"
static_shared_bytes = "0"
[tensor_maps.A]
box     = ["32", "BM // CLUSTER"]
swizzle = 128
[tensor_maps.B]
box     = ["32", "32"]
swizzle = 128
---*/

#include <cuda.h>
#include <stdint.h>

constexpr int BN = 128;                        // 64 columns for each of two warpgroups
constexpr int BK = 32;                         // 128 bytes: as far as the swizzle reaches
constexpr int BOX = BK * 32 * 4;               // bytes of a box of 32 columns of B
constexpr int A_BYTES = BM * BK * 4;
constexpr int STAGE = A_BYTES + BN / 32 * BOX;
constexpr int TOGETHER = 8;                    // clusters that go across C before the next row of tiles begins

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

// Asks the TMA for one box. Elements outside the matrix arrive as zeros. The maps of a TF32 kernel have the
// engine round on the way; tensor cores would not round, but cut off the 13 bits that they have no room for.
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

// How wgmma is told where a tile of A lies, in units of 16 bytes: its address, how far it is from 8 rows of 128 bytes
// to the next 8 (64 units), and that pieces of 16 bytes are swizzled over 128.
__device__ __forceinline__ uint64_t describe(const void *tile)
{
    return (shared_address(tile) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
#define D64 \
    "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27," \
    "%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53," \
    "%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define D128 D64 \
    ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88," \
    "%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111," \
    "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define WGMMA(n, registers, a0, a1, a2, a3, tile, more) \
    "{\n.reg .pred p;\nsetp.ne.b32 p, %" more ", 0;\nwgmma.mma_async.sync.aligned.m64n" n "k8.f32.tf32.tf32 " \
    "{" registers "}, {%" a0 ", %" a1 ", %" a2 ", %" a3 "}, %" tile ", p, 1, 1;\n}"

// d (+)= B^T (64 x 8, in registers) · A^T (8 x BM), by the four warps of a warpgroup together. The tensor cores work
// on after this returns; until a wait_group nobody may touch d, nor change b.
__device__ __forceinline__ void multiply(float (&d)[BM / 2], const uint32_t (&b)[4], uint64_t a, int more)
{
#if BM == 256
    asm volatile(WGMMA("256", D128, "128", "129", "130", "131", "132", "133")
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80), SIXTEEN(96),
                   SIXTEEN(112)
                 : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a), "r"(more));
#else
    asm volatile(WGMMA("128", D64, "64", "65", "66", "67", "68", "69")
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
                 : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a), "r"(more));
#endif
}

// Tile number -> place in C, in units of a cluster's tiles. Neighbours in time are neighbours in C, so that what one
// block fetched is still in the L2 cache for the next; every other strip runs backwards.
__device__ __forceinline__ void place(int tile, int tiles_down, int tiles_across, int &down, int &across)
{
    const int strip = tile / (TOGETHER * tiles_down);
    const int columns = min(TOGETHER, tiles_across - strip * TOGETHER);
    const int rest = tile - strip * TOGETHER * tiles_down;
    across = strip * TOGETHER + rest % columns;
    down = strip % 2 ? tiles_down - 1 - rest / columns : rest / columns;
}

extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(384, 1)
sgemm_wgmma_tf32(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, float *C,
                 int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char stages[];        // the swizzle counts from multiples of 1024
    uint64_t *full = reinterpret_cast<uint64_t *>(stages + STAGES * STAGE);
    uint64_t *free = full + STAGES;

    const int group = __shfl_sync(0xffffffff, threadIdx.y, 0);       // the same in a whole warp, and known to be
    const int rank = blockIdx.x % CLUSTER;
    const int tiles_down = (M + BM - 1) / BM;
    const int tiles_across = (N + BN * CLUSTER - 1) / (BN * CLUSTER);
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
                    // Separates the reads of this stage, in both blocks, from the copies into it.
                    wait(&free[slot], round % 2 ^ 1);
                    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                                 ::"r"(shared_address(&full[slot])), "n"(STAGE) : "memory");
                    // The blocks of a cluster lie beside each other and need the same A: each fetches half for both.
                    if (CLUSTER == 1) {
                        fetch(a, &A, step * BK, down * BM, &full[slot]);
                    } else {
                        fetch_for_all(a + rank * (A_BYTES / CLUSTER), &A, step * BK, down * BM + rank * (BM / CLUSTER),
                                      &full[slot]);
                    }
                    #pragma unroll
                    for (int box = 0; box < BN / 32; ++box) {
                        fetch(a + A_BYTES + box * BOX, &B, (across * CLUSTER + rank) * BN + box * 32, step * BK,
                              &full[slot]);
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
        const int g = lane / 4;                                      // wgmma names lanes by group and thread in group
        const int t = lane % 4;
        const uint64_t a = describe(stages);

        // A warp has 16 of the warpgroup's 64 columns of C, and a lane two of those: n and n + 1 stand for rows g and
        // g + 8 of B^T. Which 16 is ours to choose. These are pieces p, p + 1, p + 4 and p + 5 of the 16-byte pieces of
        // a box, because the swizzle puts piece p of row k at p ^ k % 8: so no two lanes of a load share a bank.
        const int piece = warp % 2 * 2 + g / 4 + g / 2 % 2 * 4;
        const int n = (group - 1) * 64 + warp / 2 * 32 + piece * 4 + g % 2 * 2;
        const unsigned char *box = stages + A_BYTES + n / 32 * BOX + g % 2 * 8;
        const int upper = t * 128 + (piece ^ t) * 16;                // rows t and t + 4 of eight
        const int lower = (t + 4) * 128 + (piece ^ t ^ 4) * 16;
        auto load = [&](uint32_t(&b)[BK / 8][4]) {
            #pragma unroll
            for (int k = 0; k < BK / 8; ++k) {
                const uint2 x = *reinterpret_cast<const uint2 *>(box + slot * STAGE + k * 1024 + upper);
                const uint2 y = *reinterpret_cast<const uint2 *>(box + slot * STAGE + k * 1024 + lower);
                b[k][0] = x.x;
                b[k][1] = x.y;
                b[k][2] = y.x;
                b[k][3] = y.y;
            }
        };

        float d[BM / 2];
        uint32_t b[2][BK / 8][4];
        for (int tile = first; tile < tiles_down * tiles_across; tile += stride) {
            int down, across;
            place(tile, tiles_down, tiles_across, down, across);
            int before = 0;
            // Multiplies with `now`, and while the tensor cores do so fetches `next`.
            auto advance = [&](uint32_t(&now)[BK / 8][4], uint32_t(&next)[BK / 8][4], int step) {
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
                #pragma unroll
                for (int k = 0; k < BK / 8; ++k) {
                    multiply(d, now[k], a + slot * (STAGE >> 4) + k * 2, step + k > 0);
                }
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                // The products of the step before are done with their stage, and with `next`.
                asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
                if (step > 0 && lane < CLUSTER) {
                    arrive(&free[before], lane);
                }
                before = slot;
                slot = slot + 1 == STAGES ? 0 : slot + 1;
                round += slot == 0;
                if (step + 1 < steps) {
                    // Separates the copies into this stage from this warp's and the tensor cores' reads of it.
                    wait(&full[slot], round % 2);
                    load(next);
                }
            };
            wait(&full[slot], round % 2);
            load(b[0]);
            for (int step = 0; step < steps; step += 2) {            // by twos, so that registers keep their names
                advance(b[0], b[1], step);
                if (step + 1 < steps) {
                    advance(b[1], b[0], step + 1);
                }
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            #pragma unroll
            for (int i = 0; i < BM / 2; ++i) {
                asm volatile("" : "+f"(d[i]));                       // from here on, the compiler may read d
            }
            if (lane < CLUSTER) {
                arrive(&free[before], lane);
            }

            // Of eight rows of C a lane has two, and of each two neighbours: a warp stores full sectors of 32 bytes.
            const int row = down * BM + 2 * t;
            const int col = (across * CLUSTER + rank) * BN + n;
            const int left = col < N ? M - row : 0;
            float *out = C + static_cast<long long>(row) * N + col;
            #pragma unroll
            for (int i = 0; i < BM / 8; ++i) {
                #pragma unroll
                for (int below = 0; below < 2; ++below) {
                    if (i * 8 + below < left) {
                        __stcs(reinterpret_cast<float2 *>(out + static_cast<long long>(i * 8 + below) * N),
                               make_float2(d[4 * i + below], d[4 * i + below + 2]));
                    }
                }
            }
        }
    }
    // Separates the last copies and arrivals that come from the other block from this block's end.
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
