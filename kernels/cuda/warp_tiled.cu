/*---
title   = "Warp tiles"
order   = 172
entry   = "sgemm_warp_tiled"
teaches = "A warp of 8 x 4 lanes computes a compact rectangle of C, so its lanes share what they read: 96 different floats per k instead of 144 for two rows of 16 lanes (8 x 8 elements each)."
origin  = "written for the ladder: vectorized with a level between the block and the thread"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "BM % (8 * TM) == 0", because = "a warp is 8 lanes high, and each lane has TM rows of C"},
    {rule = "BN % (4 * TN) == 0", because = "a warp is 4 lanes wide, and each lane has TN columns of C"},
    {rule = "BM * BN // (TM * TN) <= min(512, max_threads_per_block)", because = "a block has one thread for every TM x TN of its BM x BN elements of C, and with more than 512 threads a block can run out of registers (NVIDIA: 65536)"},
    {rule = "4 * BK * (BM + 4 + BN) <= shared_bytes_per_block", because = "a tile of A with its padding and a tile of B must fit into the shared memory of one block"},
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
static_shared_bytes = "4 * BK * (BM + 4 + BN)"
---*/

#define THREADS (BM * BN / (TM * TN))
#define WARPS_ACROSS (BN / (4 * TN))

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

extern "C" __global__ void sgemm_warp_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[BK][BM + 4];    // As[k][row]: transposed; the padding sends the columns to different banks
    __shared__ float Bs[BK][BN];        // Bs[k][col]

    const int thread = threadIdx.x;
    const int warp = thread / 32;
    const int lane = thread % 32;
    // The warp's rectangle in the block's, and the lane's place in the warp. Lanes t and t ^ 1 want the same floats of
    // A, lanes t and t ^ 2 the same floats of B: the hardware then serves two quarters of a 128-bit load at once.
    const int warp_row = warp / WARPS_ACROSS * 8 * TM;
    const int warp_col = warp % WARPS_ACROSS * 4 * TN;
    const int lane_row = lane / 2 % 8;
    const int lane_col = lane % 2 + lane / 16 * 2;
    // A lane's rows and columns come in groups of four, the groups of all lanes side by side.
    const int first_row = warp_row + 4 * lane_row;      // rows first_row + i / 4 * 32 + i % 4
    const int first_col = warp_col + 4 * lane_col;      // columns first_col + j / 4 * 16 + j % 4
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    float acc[TM][TN] = {{0.0f}};

    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = thread; i < BM * (BK / 4); i += THREADS) {
            const int m = i / (BK / 4);
            const int k = i % (BK / 4) * 4;
            const float4 a = four_of(A, block_row + m, k0 + k, M, K);
            As[k][m] = a.x;
            As[k + 1][m] = a.y;
            As[k + 2][m] = a.z;
            As[k + 3][m] = a.w;
        }
        for (int i = thread; i < BK * (BN / 4); i += THREADS) {
            const int k = i / (BN / 4);
            const int n = i % (BN / 4) * 4;
            const float4 b = four_of(B, k0 + k, block_col + n, K, N);
            Bs[k][n] = b.x;
            Bs[k][n + 1] = b.y;
            Bs[k][n + 2] = b.z;
            Bs[k][n + 3] = b.w;
        }
        // Separates the stores to As and Bs above from the reads of them, by other threads, below.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM];
            float b[TN];
            #pragma unroll
            for (int i = 0; i < TM; ++i) {
                a[i] = As[k][first_row + i / 4 * 32 + i % 4];
            }
            #pragma unroll
            for (int j = 0; j < TN; ++j) {
                b[j] = Bs[k][first_col + j / 4 * 16 + j % 4];
            }
            #pragma unroll
            for (int i = 0; i < TM; ++i) {
                #pragma unroll
                for (int j = 0; j < TN; ++j) {
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
        // Separates the reads of As and Bs above from the stores of the next pair of tiles.
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
