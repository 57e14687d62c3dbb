/*---
title   = "Float32, fully tuned"
order   = 178
entry   = "sgemm_best"
teaches = "A scheduler issues one instruction per cycle, so every instruction that is not a multiply-add costs one: large tiles, copies and fragments loaded ahead, no register bank conflicts, and tiles cut to fill the GPU evenly."
origin  = "written for the ladder: cp_async with all that counting instructions and stalls on an H200 taught"
requires = ["cuda", "sm_80"]
arithmetic = "fp32"
constraints = [
    {rule = "BM % (8 * TM) == 0", because = "a warp is 8 lanes high, and each lane has TM rows of C"},
    {rule = "BN % (4 * TN) == 0", because = "a warp is 4 lanes wide, and each lane has TN columns of C"},
    {rule = "TN == TM or TN == 2 * TM", because = "a thread's part of C is as wide as high, or twice as wide"},
    {rule = "BM * BN <= 256 * TM * TN and 256 * TM * TN <= 4 * BM * BN", because = "8 warps share the tile, or 2 or 4 groups of them share the depth of a step"},
    {rule = "256 * TM * TN % (BM * BN) == 0", because = "every group of warps has the same share of a step"},
]
[params.BM]
label   = "Rows of C per block"
choices = [64, 96, 128]
default = 128
[params.BN]
label   = "Columns of C per block"
choices = [64, 96, 128, 256]
default = 256
[params.TM]
label   = "Rows of C per thread"
choices = [8, 12]
default = 8
[params.TN]
label   = "Columns of C per thread"
choices = [8, 12, 16]
default = 16
[defines]
SPLIT = "256 * TM * TN // (BM * BN)"
WIDE = "1 if N % 4 == 0 else 0"
[launch]
block = [256]
grid  = ["ceil_div(M, BM) * ceil_div(N, BN)"]
shared_bytes = "max(128 * (256 * TM * TN // (BM * BN)) * (BM + 4 + BN), 0 if BM * BN == 256 * TM * TN else 1024 * TM * TN)"
static_shared_bytes = "0"
---*/

#define STAGES 4
#define STEPS 8                                 // k of a stage that one warp takes. The loop over them is unrolled into
#define BK (STEPS * SPLIT)                      // 18 KB of code: from 32 KB on the caches for it are too small
#define WARP_ROWS (8 * TM)                      // a warp is 8 lanes high and 4 wide
#define WARP_COLS (4 * TN)
#define GROUP_WARPS (8 / SPLIT)                 // warps that cover the tile of C; SPLIT groups share the k of a stage
#define PITCH (BM + 4)                          // floats from a k of A's tile to the next
#define A_FLOATS (BK * PITCH)
#define STAGE (4 * (A_FLOATS + BK * BN))        // bytes
#define B_THREADS (256 / BK)                    // threads that copy one row of B
#define B_COUNT (WIDE ? 4 : 1)                  // floats per copy: rows of B begin at multiples of 16 bytes, or do not
#define BLOCK_ROWS 8                            // rows of blocks that are walked through together
// A thread makes its products row by row or column by column, waits and copies at these k, and makes those of its first
// HEAD rows before the loop turns. Any k is correct. With these the compiler finds registers that seldom meet: two
// operands in the same of the two register banks take two cycles.
#define BY_ROWS (SPLIT == 1 && WIDE)
#define SYNC_STEP (BY_ROWS ? 5 : 4)
#define COPY_STEP (BY_ROWS ? 6 : 4)
#define HEAD (TM / 2)

// Starts a copy of `bytes` (4 or 16) to shared memory without registers; of zeros, without reading, if not `inside`.
__device__ __forceinline__ void copy_async(unsigned to, const float *from, bool inside, int bytes)
{
    if (bytes == 16) {
        asm volatile("{ .reg .pred p; setp.eq.s32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p; }"
                     :: "r"(to), "l"(from), "r"((int)inside));
    } else {
        asm volatile("{ .reg .pred p; setp.eq.s32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 4, p; }"
                     :: "r"(to), "l"(from), "r"((int)inside));
    }
}

__device__ __forceinline__ void load4(float *to, unsigned from)
{
    asm("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3]) : "r"(from));
}

// What a thread needs of A and B for one k: TM and TN floats, in groups of four, the groups of all lanes side by side.
__device__ __forceinline__ void load_fragments(float *a, float *b, unsigned a_at, unsigned b_at)
{
    #pragma unroll
    for (int i = 0; i < TM; i += 4) {
        load4(a + i, a_at + 4 * 8 * i);
    }
    #pragma unroll
    for (int j = 0; j < TN; j += 4) {
        load4(b + j, b_at + 4 * 4 * j);
    }
}

// The products of rows `from` to `to`, or of as large a part of the columns; back and forth, so that the operand at the
// turn is still at hand.
__device__ __forceinline__ void multiply(float acc[TM][TN], const float *a, const float *b, int from, int to)
{
#if BY_ROWS
    #pragma unroll
    for (int i = 0; i < TM; ++i) {
        #pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int turn = i % 2 ? TN - 1 - j : j;
            if (from <= i && i < to) {
                acc[i][turn] = fmaf(a[i], b[turn], acc[i][turn]);
            }
        }
    }
#else
    #pragma unroll
    for (int j = 0; j < TN; ++j) {
        #pragma unroll
        for (int i = 0; i < TM; ++i) {
            const int turn = j % 2 ? TM - 1 - i : i;
            if (from * TN <= j * TM && j * TM < to * TN) {
                acc[turn][j] = fmaf(a[turn], b[j], acc[turn][j]);
            }
        }
    }
#endif
}

// With 8 x 8 elements per thread two blocks fit on a multiprocessor.
extern "C" __global__ void __launch_bounds__(256, TM * TN <= 64 ? 2 : 1)
sgemm_best(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    extern __shared__ __align__(16) float tiles[];      // STAGES times a tile of A, [k][row], and one of B, [k][col]

    const int thread = threadIdx.x;
    const int lane = thread % 32;
    const int warp = thread / 32;

    // Blocks that run at the same time should want the same rows of A and columns of B, which are then in the L2 cache:
    // a few rows of blocks are walked through together, column by column.
    const int blocks_down = (M + BM - 1) / BM;
    const int blocks_across = (N + BN - 1) / BN;
    const int first_row = blockIdx.x / (BLOCK_ROWS * blocks_across) * BLOCK_ROWS;
    const int rows = min(BLOCK_ROWS, blocks_down - first_row);
    const int in_group = blockIdx.x - first_row * blocks_across;
    const int block_row = (first_row + in_group % rows) * BM;
    const int block_col = in_group / rows * BN;

    // The warp's share of the k of a stage, its rectangle of the tile, and the lane's place in it, as in warp_tiled.
    const int share = warp / GROUP_WARPS;
    const int warp_row = warp % GROUP_WARPS / (BN / WARP_COLS) * WARP_ROWS;
    const int warp_col = warp % (BN / WARP_COLS) * WARP_COLS;
    const int lane_row = lane / 2 % 8;
    const int lane_col = lane % 2 + lane / 16 * 2;

    unsigned shared;
    asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(shared) : "l"(tiles));

    // What this thread copies: of A one element (8 lanes to a row) of some rows, transposing; of B a part of one row.
    // Rows below A are replaced by its last one: what is made of them is never stored.
    const float *a_from[BM / 32];
    #pragma unroll
    for (int r = 0; r < BM / 32; ++r) {
        a_from[r] = A + (size_t)min(block_row + thread / 8 + 32 * r, M - 1) * K + thread % 8;
    }
    const unsigned a_to = shared + 4 * (thread % 8 * PITCH + thread / 8);
    const int b_k = thread / B_THREADS;
    const int b_col = block_col + thread % B_THREADS * B_COUNT;
    const float *b_from = B + (size_t)b_k * N + b_col;
    const unsigned b_to = shared + 4 * (A_FLOATS + b_k * BN + thread % B_THREADS * B_COUNT);
    unsigned a_index = 0;                               // how far the copies have come
    unsigned b_index = 0;
    int a_left = K - thread % 8;                        // elements of the rows of A, and rows of B, still ahead
    int b_left = K - b_k;

    // Starts the copies of the next stage. Elements beyond K are zeros: they add nothing.
    auto copy_stage = [&](unsigned stage) {
        #pragma unroll
        for (int r = 0; r < BM / 32; ++r) {
            #pragma unroll
            for (int k = 0; k < BK; k += 8) {
                copy_async(stage + a_to + 4 * (k * PITCH + 32 * r), &a_from[r][a_index] + k, k < a_left, 4);
            }
        }
        const int columns = b_left > 0 ? N - b_col : 0;
        #pragma unroll
        for (int c = 0; c < BN; c += B_THREADS * B_COUNT) {
            copy_async(stage + b_to + 4 * c, &b_from[b_index] + c, c < columns, 4 * B_COUNT);
        }
        asm volatile("cp.async.commit_group;");
        a_index += BK;
        b_index += BK * N;
        a_left -= BK;
        b_left -= BK;
    };

    float acc[TM][TN];
    #pragma unroll
    for (int i = 0; i < TM; ++i) {
        #pragma unroll
        for (int j = 0; j < TN; ++j) {
            acc[i][j] = 0.0f;
        }
    }

    #pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) {
        copy_stage(s * STAGE);
    }
    asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2) : "memory");
    // Separates the copies of the first stage, by all threads, from the reads of it below.
    __syncthreads();

    const unsigned a_start = shared + 4 * (share * STEPS * PITCH + warp_row + 4 * lane_row);
    const unsigned b_start = shared + 4 * (A_FLOATS + share * STEPS * BN + warp_col + 4 * lane_col);
    unsigned a_at = a_start;
    unsigned b_at = b_start;
    unsigned stage = 0;
    unsigned spent = (STAGES - 1) * STAGE;              // the stage read before this one
    float a[2][TM];                                     // the fragments of this k and of the next
    float b[2][TN];
    load_fragments(a[0], b[0], a_at, b_at);
    multiply(acc, a[0], b[0], 0, HEAD);

    #pragma unroll 1
    for (int k0 = 0; k0 < K; k0 += BK) {
        #pragma unroll
        for (int k = 0; k < STEPS; ++k) {
            if (k == STEPS - 1) {
                spent = stage;
                stage = stage == (STAGES - 1) * STAGE ? 0 : stage + STAGE;
                a_at = a_start + stage;
                b_at = b_start + stage;
            }
            const int next = (k + 1) % STEPS;
            load_fragments(a[next % 2], b[next % 2], a_at + 4 * next * PITCH, b_at + 4 * next * BN);
            if (k == SYNC_STEP) {
                asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 3) : "memory");
                // Separates the copies of the next stage from the reads of it, and the reads of the spent stage, which
                // ended half a stage ago, from the copies into it that start here.
                __syncthreads();
            }
            if (k == COPY_STEP) {
                copy_stage(spent);
            }
            multiply(acc, a[k % 2], b[k % 2], k == 0 ? HEAD : 0, TM);
        }
        // The first products of the next stage (of zeros after the last): had the loop turned before them, the loads of
        // their fragments would come at its very end, with nothing to do until they arrive.
        multiply(acc, a[0], b[0], 0, HEAD);
    }

#if SPLIT > 1
    asm volatile("cp.async.wait_all;");
    // Separates the reads and the copies of the last stages from the stores of sums into the same memory.
    __syncthreads();
    // Each of the SPLIT warps with the same rectangle finishes TM / SPLIT of a thread's rows and passes on the others.
    float4 *handed = reinterpret_cast<float4 *>(tiles);
    #pragma unroll
    for (int owner = 0; owner < SPLIT; ++owner) {
        if (owner == share) {
            continue;
        }
        float4 *to = handed + ((owner * SPLIT + share) * GROUP_WARPS + warp % GROUP_WARPS) * (TM / SPLIT * TN / 4) * 32;
        #pragma unroll
        for (int i = 0; i < TM / SPLIT; ++i) {
            #pragma unroll
            for (int j = 0; j < TN; j += 4) {
                const float *c = &acc[owner * (TM / SPLIT) + i][j];
                to[(i * TN + j) / 4 * 32 + lane] = make_float4(c[0] + 0.0f, c[1] + 0.0f, c[2] + 0.0f, c[3] + 0.0f);
            }
        }
    }
    // Separates the stores of sums from the reads of them by the warps that finish them.
    __syncthreads();
#endif

    #pragma unroll
    for (int i = 0; i < TM; ++i) {
        if (i / (TM / SPLIT) != share) {
            continue;
        }
        const int row = block_row + warp_row + i / 4 * 32 + 4 * lane_row + i % 4;
        #pragma unroll
        for (int j = 0; j < TN; j += 4) {
            const int col = block_col + warp_col + 4 * j + 4 * lane_col;
            // Adding 0, here and above, gives these stores registers of their own. Without it the compiler moves sums
            // about inside the loop, to have four neighbours for each store.
            float c[4] = {acc[i][j] + 0.0f, acc[i][j + 1] + 0.0f, acc[i][j + 2] + 0.0f, acc[i][j + 3] + 0.0f};
#if SPLIT > 1
            #pragma unroll
            for (int other = 0; other < SPLIT; ++other) {
                if (other != share) {
                    const float4 sum = handed[(((share * SPLIT + other) * GROUP_WARPS + warp % GROUP_WARPS)
                                               * (TM / SPLIT * TN / 4) + (i % (TM / SPLIT) * TN + j) / 4) * 32 + lane];
                    c[0] += sum.x;
                    c[1] += sum.y;
                    c[2] += sum.z;
                    c[3] += sum.w;
                }
            }
#endif
            if (WIDE) {
                if (row < M && col < N) {
                    *reinterpret_cast<float4 *>(&C[(size_t)row * N + col]) = make_float4(c[0], c[1], c[2], c[3]);
                }
            } else {
                #pragma unroll
                for (int e = 0; e < 4; ++e) {
                    if (row < M && col + e < N) {
                        C[(size_t)row * N + col + e] = c[e];
                    }
                }
            }
        }
    }
}
