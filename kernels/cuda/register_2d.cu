/*---
title   = "Registers: a tile per thread"
order   = 160
entry   = "sgemm_register_2d"
teaches = "TM values of A and TN values of B in registers make TM x TN products: TM + TN reads of shared memory serve that many multiply-adds."
origin  = "written for the ladder: register_1d in both directions"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "BM % TM == 0", because = "each thread takes TM of the block's rows"},
    {rule = "BN % TN == 0", because = "each thread takes TN of the block's columns"},
    {rule = "(BM // TM) * (BN // TN) <= min(512, max_threads_per_block)", because = "a block has one thread for every TM x TN of its BM x BN elements of C, and with more than 512 threads a block can run out of registers (NVIDIA: 65536)"},
    {rule = "4 * BK * (BM + BN) <= shared_bytes_per_block", because = "a BM x BK tile of A and a BK x BN tile of B must fit into the shared memory of one block"},
]
[params.BM]
label   = "Rows of C per block"
choices = [16, 32, 64, 128]
default = 64
[params.BN]
label   = "Columns of C per block"
choices = [16, 32, 64, 128]
default = 64
[params.BK]
label   = "Depth of a step"
choices = [4, 8, 16, 32]
default = 16
[params.TM]
label   = "Rows of C per thread"
choices = [1, 2, 4, 8]
default = 4
[params.TN]
label   = "Columns of C per thread"
choices = [1, 2, 4, 8]
default = 4
[launch]
block = ["BN // TN", "BM // TM"]
grid  = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared_bytes = "0"
static_shared_bytes = "4 * BK * (BM + BN)"
---*/

extern "C" __global__ void sgemm_register_2d(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    const int tx = threadIdx.x;                 // 0 .. BN/TN-1
    const int ty = threadIdx.y;                 // 0 .. BM/TM-1
    const int thread = ty * (BN / TN) + tx;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    float acc[TM][TN] = {{0.0f}};

    for (int k0 = 0; k0 < K; k0 += BK) {
        // All threads walk over either tile together, in memory order.
        for (int i = thread; i < BM * BK; i += (BM / TM) * (BN / TN)) {
            const int m = i / BK;
            const int k = i % BK;
            As[m][k] = (block_row + m < M && k0 + k < K) ? A[(block_row + m) * K + k0 + k] : 0.0f;
        }
        for (int i = thread; i < BK * BN; i += (BM / TM) * (BN / TN)) {
            const int k = i / BN;
            const int n = i % BN;
            Bs[k][n] = (k0 + k < K && block_col + n < N) ? B[(k0 + k) * N + block_col + n] : 0.0f;
        }
        // Separates the stores to As and Bs above from the reads of them, by other threads, below.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM];
            float b[TN];
            #pragma unroll
            for (int i = 0; i < TM; ++i) {
                a[i] = As[ty * TM + i][k];
            }
            // A thread's columns lie BN/TN apart, so that neighbouring lanes read neighbouring words.
            #pragma unroll
            for (int j = 0; j < TN; ++j) {
                b[j] = Bs[k][tx + j * (BN / TN)];
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
        #pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int row = block_row + ty * TM + i;
            const int col = block_col + tx + j * (BN / TN);
            if (row < M && col < N) {
                C[row * N + col] = acc[i][j];
            }
        }
    }
}
