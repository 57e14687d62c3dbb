/*---
title   = "Asynchronous copies"
order   = 176
entry   = "sgemm_cp_async"
teaches = "cp.async copies from global to shared memory without registers and without waiting. With STAGES buffers, the copies of STAGES - 1 steps are in flight at any time."
origin  = "written for the ladder: double_buffered with cp.async and more than two buffers"
requires = ["cuda", "sm_80"]
arithmetic = "fp32"
constraints = [
    {rule = "BM % (8 * TM) == 0", because = "a warp is 8 lanes high, and each lane has TM rows of C"},
    {rule = "BN % (4 * TN) == 0", because = "a warp is 4 lanes wide, and each lane has TN columns of C"},
    {rule = "BM * BN // (TM * TN) <= min(512, max_threads_per_block)", because = "a block has one thread for every TM x TN of its BM x BN elements of C, and with more than 512 threads a block can run out of registers (NVIDIA: 65536)"},
    {rule = "4 * STAGES * BK * (BM + 4 + BN) <= shared_bytes_per_block", because = "STAGES tiles of A with their padding and of B must fit into the shared memory of one block"},
]
[params.BM]
label   = "Rows of C per block"
choices = [64, 128]
default = 128
[params.BN]
label   = "Columns of C per block"
choices = [64, 128, 256]
default = 128
[params.BK]
label   = "Depth of a step"
choices = [8, 16]
default = 8
[params.TM]
label   = "Rows of C per thread"
choices = [4, 8]
default = 8
[params.TN]
label   = "Columns of C per thread"
choices = [4, 8, 16]
default = 8
[params.STAGES]
label   = "Pipeline stages"
choices = [2, 3, 4]
default = 4
[launch]
block = ["BM * BN // (TM * TN)"]
grid  = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared_bytes = "4 * STAGES * BK * (BM + 4 + BN)"
static_shared_bytes = "0"
---*/

#include <cuda_pipeline.h>

#define THREADS (BM * BN / (TM * TN))
#define WARPS_ACROSS (BN / (4 * TN))
#define PITCH (BM + 4)                  // floats from a k of As to the next
#define STAGE (BK * (PITCH + BN))       // floats of one buffer: a tile of A and one of B

// Starts a copy of `count` neighbouring floats. Outside the matrix nothing is read and zeros are stored.
__device__ __forceinline__ void start_copy(float *to, const float *from, bool is_inside, int count)
{
    __pipeline_memcpy_async(to, from, 4 * count, is_inside ? 0 : 4 * count);
}

extern "C" __global__ void sgemm_cp_async(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ __align__(16) float buffers[];        // STAGES of them: As[k][row], then Bs[k][col]

    const int thread = threadIdx.x;
    const int warp = thread / 32;
    const int lane = thread % 32;
    const int warp_row = warp / WARPS_ACROSS * 8 * TM;
    const int warp_col = warp % WARPS_ACROSS * 4 * TN;
    const int first_row = warp_row + 4 * (lane / 2 % 8);
    const int first_col = warp_col + 4 * (lane % 2 + lane / 16 * 2);
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    float acc[TM][TN] = {{0.0f}};

    // The copies of step k0 / BK. All copies that a thread starts between two commits are waited for as one.
    auto start_step = [&](int k0) {
        float *As = buffers + k0 / BK % STAGES * STAGE;
        float *Bs = As + BK * PITCH;
        // A is transposed on the way, so its floats travel one by one; 8 lanes take neighbours of a row.
        #pragma unroll
        for (int part = 0; part < BM; part += THREADS / 8) {
            const int m = part + thread / 8;
            #pragma unroll
            for (int e = 0; e < BK; e += 8) {
                const int k = e + thread % 8;
                start_copy(&As[k * PITCH + m], A + (block_row + m) * K + k0 + k, block_row + m < M && k0 + k < K, 1);
            }
        }
        #pragma unroll
        for (int part = 0; part < BK; part += THREADS / (BN / 4)) {
            const int k = part + thread / (BN / 4);
            const int n = thread % (BN / 4) * 4;
            const float *from = B + (k0 + k) * N + block_col + n;
            if (k >= BK) {
                continue;   // more threads than the tile has groups of four
            }
            if (N % 4 == 0) {
                start_copy(&Bs[k * BN + n], from, k0 + k < K && block_col + n < N, 4);
            } else {    // not every row of B begins at a multiple of 16 bytes
                #pragma unroll
                for (int e = 0; e < 4; ++e) {
                    start_copy(&Bs[k * BN + n + e], from + e, k0 + k < K && block_col + n + e < N, 1);
                }
            }
        }
        __pipeline_commit();
    };

    for (int s = 0; s < STAGES - 1; ++s) {
        start_step(s * BK);
    }
    for (int k0 = 0; k0 < K; k0 += BK) {
        // This thread's copies for this step have arrived; those for the later steps may still be on their way.
        __pipeline_wait_prior(STAGES - 2);
        // Separates the other threads' copies from the reads of them, and the reads of the step before from the copies
        // into the same buffer that start here.
        __syncthreads();
        start_step(k0 + (STAGES - 1) * BK);

        const float *As = buffers + k0 / BK % STAGES * STAGE;
        const float *Bs = As + BK * PITCH;
        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM];
            float b[TN];
            #pragma unroll
            for (int i = 0; i < TM; ++i) {
                a[i] = As[k * PITCH + first_row + i / 4 * 32 + i % 4];
            }
            #pragma unroll
            for (int j = 0; j < TN; ++j) {
                b[j] = Bs[k * BN + first_col + j / 4 * 16 + j % 4];
            }
            #pragma unroll
            for (int i = 0; i < TM; ++i) {
                #pragma unroll
                for (int j = 0; j < TN; ++j) {
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
    }

    #pragma unroll
    for (int i = 0; i < TM; ++i) {
        const int row = block_row + first_row + i / 4 * 32 + i % 4;
        #pragma unroll
        for (int j = 0; j < TN; j += 4) {
            const int col = block_col + first_col + j / 4 * 16;
            if (N % 4 == 0) {
                if (row < M && col < N) {
                    *reinterpret_cast<float4 *>(&C[row * N + col]) =
                        make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
                }
            } else {
                #pragma unroll
                for (int e = 0; e < 4; ++e) {
                    if (row < M && col + e < N) {
                        C[row * N + col + e] = acc[i][j + e];
                    }
                }
            }
        }
    }
}
