/*---
title   = "Registers: a column per thread"
order   = 150
entry   = "sgemm_register_1d"
teaches = "A thread that computes TM elements of one column reads each element of B from shared memory once and uses it TM times from a register."
origin  = "written for the ladder: the first rung above tutorial 000's tiles"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "BM % TM == 0", because = "each thread takes TM of the block's rows"},
    {rule = "BN * (BM // TM) <= min(512, max_threads_per_block)", because = "a block has one thread for every TM of its BM x BN elements of C, and with more than 512 threads a block can run out of registers (NVIDIA: 65536)"},
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
choices = [1, 2, 4, 8, 16]
default = 8
[launch]
block = ["BN", "BM // TM"]
grid  = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared_bytes = "0"
static_shared_bytes = "4 * BK * (BM + BN)"
---*/

extern "C" __global__ void sgemm_register_1d(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    const int tx = threadIdx.x;                 // the thread's column in the block: 0 .. BN-1
    const int ty = threadIdx.y;                 // its strip of TM rows: 0 .. BM/TM-1
    const int thread = ty * BN + tx;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    float acc[TM] = {0.0f};                     // stays in registers: every index below is known to the compiler

    for (int k0 = 0; k0 < K; k0 += BK) {
        // A tile no longer has one element per thread: all threads walk over it together, in memory order.
        for (int i = thread; i < BM * BK; i += BN * (BM / TM)) {
            const int m = i / BK;
            const int k = i % BK;
            As[m][k] = (block_row + m < M && k0 + k < K) ? A[(block_row + m) * K + k0 + k] : 0.0f;
        }
        for (int i = thread; i < BK * BN; i += BN * (BM / TM)) {
            const int k = i / BN;
            const int n = i % BN;
            Bs[k][n] = (k0 + k < K && block_col + n < N) ? B[(k0 + k) * N + block_col + n] : 0.0f;
        }
        // Separates the stores to As and Bs above from the reads of them, by other threads, below.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float b = Bs[k][tx];          // one read of B for TM products
            #pragma unroll
            for (int i = 0; i < TM; ++i) {
                acc[i] += As[ty * TM + i][k] * b;
            }
        }
        // Separates the reads of As and Bs above from the stores of the next pair of tiles.
        __syncthreads();
    }

    #pragma unroll
    for (int i = 0; i < TM; ++i) {
        const int row = block_row + ty * TM + i;
        const int col = block_col + tx;
        if (row < M && col < N) {
            C[row * N + col] = acc[i];
        }
    }
}
