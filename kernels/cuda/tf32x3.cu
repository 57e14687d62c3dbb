/*---
title   = "Float32 from three TF32 products"
order   = 328
entry   = "sgemm_tf32x3"
teaches = "Two TF32 numbers hold all but the last bits of a float32: big·big + big·small + small·big on tensor cores comes close to float32, with about 6 times the error of cuBLAS, if float32 registers add the sums that tensor cores would truncate."
origin  = "written for the ladder: after Markidis et al. 2018, Ootomo and Yokota 2022"
requires = ["cuda", "sm_90a"]
arithmetic = "tf32x3"
operands = "float32"
constraints = [
    {rule = "STAGES * 48 * 1024 + 1024 <= shared_bytes_per_block", because = "STAGES tiles of A (128 x 32), of its small parts and of B (32 x 128), of 4 bytes an element, must fit into the shared memory of one block"},
]
[params.TRUST]
label   = "Steps added by tensor cores"
choices = [1, 2, 4, 8, 16]
default = 2
[params.STAGES]
label   = "Pipeline stages"
choices = [2, 3, 4]
default = 4
[launch]
block = ["128", "3"]
grid  = ["min(ceil_div(M, 128) * ceil_div(N, 128), compute_units)"]
shared_bytes = "STAGES * 48 * 1024 + 1024"
static_shared_bytes = "0"
[tensor_maps.A]
box     = ["32", "128"]
swizzle = 128
[tensor_maps.B]
box     = ["32", "32"]
swizzle = 128
---*/

#include <cuda.h>
#include <stdint.h>

constexpr int BM = 128;
constexpr int BN = 128;                        // 64 columns for each of two warpgroups
constexpr int BK = 32;                         // 128 bytes: as far as the swizzle reaches
constexpr int BOX = BK * 32 * 4;               // bytes of a box of 32 columns of B
constexpr int A_BYTES = BM * BK * 4;
constexpr int B_BYTES = BN * BK * 4;
constexpr int STAGE = 2 * A_BYTES + B_BYTES;   // A, the small parts of A, B
constexpr int SPLITTERS = 3 * 32;              // threads
constexpr int TOGETHER = 8;                    // blocks that go across C before the next row of tiles begins

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

__device__ __forceinline__ void arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Asks the TMA for one box. Elements outside the matrix arrive as zeros.
__device__ __forceinline__ void fetch(void *to, const CUtensorMap *map, int col, int row, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];"
                 ::"r"(shared_address(to)), "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier)) : "memory");
}

__device__ __forceinline__ float to_tf32(float x)
{
    uint32_t rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
    return __uint_as_float(rounded);
}

// What tensor cores make of a float32 that nobody rounded: they cut 13 bits off. (Of an infinity nothing is left over
// that is a number: where A or B has one, the row or column of C is NaN.)
__device__ __forceinline__ float as_cut(float x)
{
    return __uint_as_float(__float_as_uint(x) & 0xffffe000);
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

// d (+)= B^T (64 x 8, in registers) · A^T (8 x 128), by the four warps of a warpgroup together. The tensor cores work
// on after this returns; until a wait_group nobody may touch d, nor change b.
__device__ __forceinline__ void multiply(float (&d)[BM / 2], const float (&b)[4], uint64_t a, int more)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\nwgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 "
                 "{" D64 "}, {%64, %65, %66, %67}, %68, p, 1, 1;\n}"
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
                 : "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])), "r"(__float_as_uint(b[2])),
                   "r"(__float_as_uint(b[3])), "l"(a), "r"(more));
}

// Tile number -> place in C, in units of tiles. Neighbours in time are neighbours in C, so that what one
// block fetched is still in the L2 cache for the next; every other strip runs backwards.
__device__ __forceinline__ void place(int tile, int tiles_down, int tiles_across, int &down, int &across)
{
    const int strip = tile / (TOGETHER * tiles_down);
    const int columns = min(TOGETHER, tiles_across - strip * TOGETHER);
    const int rest = tile - strip * TOGETHER * tiles_down;
    across = strip * TOGETHER + rest % columns;
    down = strip % 2 ? tiles_down - 1 - rest / columns : rest / columns;
}

extern "C" __global__ void __launch_bounds__(384, 1)
sgemm_tf32x3(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, float *C,
             int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char stages[];        // the swizzle counts from multiples of 1024
    uint64_t *full = reinterpret_cast<uint64_t *>(stages + STAGES * STAGE);
    uint64_t *split = full + STAGES;
    uint64_t *free = split + STAGES;

    const int group = __shfl_sync(0xffffffff, threadIdx.y, 0);       // the same in a whole warp, and known to be
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int tiles_down = (M + BM - 1) / BM;
    const int tiles_across = (N + BN - 1) / BN;
    const int tiles = tiles_down * tiles_across;
    const int steps = (K + BK - 1) / BK;
    int slot = 0;                                                    // a stage, and which time round
    int round = 0;
    auto next_slot = [&] {
        slot = slot + 1 == STAGES ? 0 : slot + 1;
        round += slot == 0;
    };

    if (threadIdx.x == 0 && group == 0) {
        for (int s = 0; s < STAGES; ++s) {
            // Full: one thread says how many bytes to expect. Split: three warps. Free: the eight that multiply.
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[s])));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 3;" ::"r"(shared_address(&split[s])));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 8;" ::"r"(shared_address(&free[s])));
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    // Separates the initialisation of the barriers from their use, by other threads and by the TMA.
    __syncthreads();

    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 72;");
        if (threadIdx.x == SPLITTERS) {                              // one thread fetches
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                int down, across;
                place(tile, tiles_down, tiles_across, down, across);
                for (int step = 0; step < steps; ++step) {
                    unsigned char *a = stages + slot * STAGE;
                    // Separates the reads of this stage from the copies into it.
                    wait(&free[slot], round % 2 ^ 1);
                    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                                 ::"r"(shared_address(&full[slot])), "n"(A_BYTES + B_BYTES) : "memory");
                    fetch(a, &A, step * BK, down * BM, &full[slot]);
                    #pragma unroll
                    for (int box = 0; box < BN / 32; ++box) {
                        fetch(a + 2 * A_BYTES + box * BOX, &B, across * BN + box * 32, step * BK, &full[slot]);
                    }
                    next_slot();
                }
            }
        } else if (threadIdx.x < SPLITTERS) {                        // three warps write down the small parts of A
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                for (int step = 0; step < steps; ++step) {
                    // Separates the copies into this stage from the reads of A below. Its small parts are free as well:
                    // the producer has waited for those who read them before it asked for the copies.
                    wait(&full[slot], round % 2);
                    const float4 *whole = reinterpret_cast<const float4 *>(stages + slot * STAGE);
                    float4 *small = reinterpret_cast<float4 *>(stages + slot * STAGE + A_BYTES);
                    #pragma unroll 4
                    for (int i = threadIdx.x; i < A_BYTES / 16; i += SPLITTERS) {
                        const float4 x = whole[i];
                        small[i] = make_float4(to_tf32(x.x - as_cut(x.x)), to_tf32(x.y - as_cut(x.y)),
                                               to_tf32(x.z - as_cut(x.z)), to_tf32(x.w - as_cut(x.w)));
                    }
                    // Tensor cores read shared memory by another way than stores write it: the fence orders the two.
                    // The barrier separates these stores from those reads.
                    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
                    __syncwarp();
                    if (lane == 0) {
                        arrive(&split[slot]);
                    }
                    next_slot();
                }
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 216;");
        // Which two columns of C a lane has, and where they lie in the swizzled tile of B: as in wgmma_tf32.
        const int g = lane / 4;
        const int t = lane % 4;
        const int piece = warp % 2 * 2 + g / 4 + g / 2 % 2 * 4;
        const int n = (group - 1) * 64 + warp / 2 * 32 + piece * 4 + g % 2 * 2;
        const unsigned char *box = stages + 2 * A_BYTES + n / 32 * BOX + g % 2 * 8;
        const int upper = t * 128 + (piece ^ t) * 16;
        const int lower = (t + 4) * 128 + (piece ^ t ^ 4) * 16;

        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            int down, across;
            place(tile, tiles_down, tiles_across, down, across);
            float sum[BM / 2] = {};
            float d[BM / 2];
            for (int step = 0; step < steps; ++step) {
                float big[BK / 8][4];
                float small[BK / 8][4];
                // Separates the copies into this stage from the reads of A and B below.
                wait(&full[slot], round % 2);
                #pragma unroll
                for (int k = 0; k < BK / 8; ++k) {
                    const float2 x = *reinterpret_cast<const float2 *>(box + slot * STAGE + k * 1024 + upper);
                    const float2 y = *reinterpret_cast<const float2 *>(box + slot * STAGE + k * 1024 + lower);
                    const float b[4] = {x.x, x.y, y.x, y.y};
                    #pragma unroll
                    for (int i = 0; i < 4; ++i) {
                        big[k][i] = to_tf32(b[i]);
                        small[k][i] = to_tf32(b[i] - big[k][i]);
                    }
                }

                // The smallest products first, so that none is lost. Small times small is left out: it is below
                // the last bit. The big part of A is A itself, of which tensor cores see no more than that.
                const uint64_t whole_a = describe(stages + slot * STAGE);
                const uint64_t small_a = whole_a + (A_BYTES >> 4);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
                #pragma unroll
                for (int k = 0; k < BK / 8; ++k) {
                    multiply(d, small[k], whole_a + k * 2, step % TRUST + k > 0);
                }
                // Separates the stores of the small parts of A from the reads of them by the products below.
                wait(&split[slot], round % 2);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
                #pragma unroll
                for (int k = 0; k < BK / 8; ++k) {
                    multiply(d, big[k], small_a + k * 2, 1);
                }
                #pragma unroll
                for (int k = 0; k < BK / 8; ++k) {
                    multiply(d, big[k], whole_a + k * 2, 1);
                }
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
                #pragma unroll
                for (int i = 0; i < BM / 2; ++i) {
                    asm volatile("" : "+f"(d[i]));                   // from here on, the compiler may read d
                }
                if (lane == 0) {
                    arrive(&free[slot]);
                }
                next_slot();
                // Tensor cores add by cutting off, always towards zero: over a long sum that is a drift. So after every
                // TRUST steps they begin anew, and float32 additions, which round to nearest, take what they have.
                if (step % TRUST == TRUST - 1 || step + 1 == steps) {
                    #pragma unroll
                    for (int i = 0; i < BM / 2; ++i) {
                        sum[i] += d[i];
                    }
                }
            }

            // Of eight rows of C a lane has two, and of each two neighbours: a warp stores full sectors of 32 bytes.
            const int row = down * BM + 2 * t;
            const int col = across * BN + n;
            const int left = col < N ? M - row : 0;
            float *out = C + static_cast<long long>(row) * N + col;
            #pragma unroll
            for (int i = 0; i < BM / 8; ++i) {
                #pragma unroll
                for (int below = 0; below < 2; ++below) {
                    if (i * 8 + below < left) {
                        __stcs(reinterpret_cast<float2 *>(out + static_cast<long long>(i * 8 + below) * N),
                               make_float2(sum[4 * i + below], sum[4 * i + below + 2]));
                    }
                }
            }
        }
    }
}
