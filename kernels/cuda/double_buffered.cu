/*---
title   = "Double buffering"
order   = 174
entry   = "sgemm_double_buffered"
teaches = "While the products of one pair of tiles are computed, the next pair travels from global memory through registers into a second buffer. One barrier per step is enough."
origin  = "written for the ladder: warp_tiled with two buffers"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "BM % (8 * TM) == 0", because = "a warp is 8 lanes high, and each lane has TM rows of C"},
    {rule = "BN % (4 * TN) == 0", because = "a warp is 4 lanes wide, and each lane has TN columns of C"},
    {rule = "BM * BN // (TM * TN) <= min(512, max_threads_per_block)", because = "a block has one thread for every TM x TN of its BM x BN elements of C, and with more than 512 threads a block can run out of registers (NVIDIA: 65536)"},
    {rule = "8 * BK * (BM + 4 + BN) <= min(49152, shared_bytes_per_block)", because = "two tiles of A with their padding and two tiles of B must fit into the shared memory of one block, and a kernel may declare at most 48 KB of it statically (NVIDIA)"},
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
[launch]
block = ["BM * BN // (TM * TN)"]
grid  = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared_bytes = "0"
static_shared_bytes = "8 * BK * (BM + 4 + BN)"
---*/

#define THREADS (BM * BN / (TM * TN))
#define WARPS_ACROSS (BN / (4 * TN))
#define A_PARTS ((BM * BK / 4 + THREADS - 1) / THREADS)
#define B_PARTS ((BK * BN / 4 + THREADS - 1) / THREADS)

// Elements col .. col + 3 of a row, zeros outside the matrix. Rows begin at multiples of 16 bytes, as 128-bit
// loads need, if their length is a multiple of 4; all threads take the same branch.
__device__ float4 four_of(const float *matrix, int row, int col, int rows, int cols)
{
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row < rows) {
        const float *from = matrix + row * cols;
        if (cols % 4 == 0) {
            if (col < cols) {
                v = *reinterpret_cast<const float4 *>(&from[col]);
            }
        } else {
            v.x = col < cols ? from[col] : 0.0f;
            v.y = col + 1 < cols ? from[col + 1] : 0.0f;
            v.z = col + 2 < cols ? from[col + 2] : 0.0f;
            v.w = col + 3 < cols ? from[col + 3] : 0.0f;
        }
    }
    return v;
}

extern "C" __global__ void sgemm_double_buffered(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][BK][BM + 4];     // As[buffer][k][row]
    __shared__ float Bs[2][BK][BN];         // Bs[buffer][k][col]

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
    float4 next_a[A_PARTS];                 // what this thread fetches of the next pair of tiles
    float4 next_b[B_PARTS];

    // Step -1 only fetches; the last step fetches beyond K, which gives zeros without a load.
    for (int k0 = -BK; k0 < K; k0 += BK) {
        const int buffer = k0 / BK % 2 == 0 ? 0 : 1;
        // The loads start here; nobody waits for them before they are stored, below.
        #pragma unroll
        for (int p = 0; p < A_PARTS; ++p) {
            const int i = thread + p * THREADS;
            next_a[p] = four_of(A, block_row + i / (BK / 4), k0 + BK + i % (BK / 4) * 4, M, K);
        }
        #pragma unroll
        for (int p = 0; p < B_PARTS; ++p) {
            const int i = thread + p * THREADS;
            next_b[p] = four_of(B, k0 + BK + i / (BN / 4), block_col + i % (BN / 4) * 4, K, N);
        }
        if (k0 >= 0) {
            #pragma unroll
            for (int k = 0; k < BK; ++k) {
                float a[TM];
                float b[TN];
                #pragma unroll
                for (int i = 0; i < TM; ++i) {
                    a[i] = As[buffer][k][first_row + i / 4 * 32 + i % 4];
                }
                #pragma unroll
                for (int j = 0; j < TN; ++j) {
                    b[j] = Bs[buffer][k][first_col + j / 4 * 16 + j % 4];
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
        for (int p = 0; p < A_PARTS; ++p) {
            const int i = thread + p * THREADS;
            if (i < BM * BK / 4) {
                const int m = i / (BK / 4);
                const int k = i % (BK / 4) * 4;
                As[1 - buffer][k][m] = next_a[p].x;
                As[1 - buffer][k + 1][m] = next_a[p].y;
                As[1 - buffer][k + 2][m] = next_a[p].z;
                As[1 - buffer][k + 3][m] = next_a[p].w;
            }
        }
        #pragma unroll
        for (int p = 0; p < B_PARTS; ++p) {
            const int i = thread + p * THREADS;
            if (i < BK * BN / 4) {
                const int k = i / (BN / 4);
                const int n = i % (BN / 4) * 4;
                Bs[1 - buffer][k][n] = next_b[p].x;
                Bs[1 - buffer][k][n + 1] = next_b[p].y;
                Bs[1 - buffer][k][n + 2] = next_b[p].z;
                Bs[1 - buffer][k][n + 3] = next_b[p].w;
            }
        }
        // Separates the stores to the other buffer from its reads in the next step, and the reads of this buffer from
        // the stores to it in the next step.
        __syncthreads();
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
