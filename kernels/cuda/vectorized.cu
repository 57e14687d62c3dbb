/*---
title   = "Registers, 128-bit accesses"
order   = 170
entry   = "sgemm_vectorized"
teaches = "One float4 instruction moves four neighbouring floats, so the same bytes need a quarter of the requests. Addresses must be multiples of 16."
origin  = "written for the ladder: register_2d with float4"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "BK % 4 == 0", because = "a row of the tile of A is loaded in groups of four floats"},
    {rule = "TN % 4 == 0", because = "a thread stores its part of a row of C in groups of four floats"},
    {rule = "BM % TM == 0", because = "each thread takes TM of the block's rows"},
    {rule = "BN % TN == 0", because = "each thread takes TN of the block's columns"},
    {rule = "(BM // TM) * (BN // TN) <= min(512, max_threads_per_block)", because = "a block has one thread for every TM x TN of its BM x BN elements of C, and with more than 512 threads a block can run out of registers (NVIDIA: 65536)"},
    {rule = "4 * BK * (BM + BN) <= shared_bytes_per_block", because = "a BM x BK tile of A and a BK x BN tile of B must fit into the shared memory of one block"},
]
[params.BM]
label   = "Rows of C per block"
choices = [16, 32, 64, 128]
default = 128
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
default = 8
[params.TN]
label   = "Columns of C per thread"
choices = [4, 8]
default = 4
[launch]
block = ["BN // TN", "BM // TM"]
grid  = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared_bytes = "0"
static_shared_bytes = "4 * BK * (BM + BN)"
---*/

extern "C" __global__ void sgemm_vectorized(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[BK][BM];                // transposed: a thread's TM values lie side by side
    __shared__ float Bs[BK][BN];

    const int tx = threadIdx.x;                 // 0 .. BN/TN-1
    const int ty = threadIdx.y;                 // 0 .. BM/TM-1
    const int thread = ty * (BN / TN) + tx;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    float acc[TM][TN] = {{0.0f}};

    for (int k0 = 0; k0 < K; k0 += BK) {
        // Rows of A begin at multiples of 16 bytes only if K is a multiple of 4. The whole launch takes one branch.
        if (K % 4 == 0) {
            for (int i = thread; i < BM * (BK / 4); i += (BM / TM) * (BN / TN)) {
                const int m = i / (BK / 4);
                const int k = i % (BK / 4) * 4;
                float4 a = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                if (block_row + m < M && k0 + k < K) {
                    a = *reinterpret_cast<const float4 *>(&A[(block_row + m) * K + k0 + k]);
                }
                As[k][m] = a.x;
                As[k + 1][m] = a.y;
                As[k + 2][m] = a.z;
                As[k + 3][m] = a.w;
            }
        } else {
            for (int i = thread; i < BM * BK; i += (BM / TM) * (BN / TN)) {
                const int m = i / BK;
                const int k = i % BK;
                As[k][m] = (block_row + m < M && k0 + k < K) ? A[(block_row + m) * K + k0 + k] : 0.0f;
            }
        }
        // The same for B, whose rows have N elements.
        if (N % 4 == 0) {
            for (int i = thread; i < BK * (BN / 4); i += (BM / TM) * (BN / TN)) {
                const int k = i / (BN / 4);
                const int n = i % (BN / 4) * 4;
                float4 b = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                if (k0 + k < K && block_col + n < N) {
                    b = *reinterpret_cast<const float4 *>(&B[(k0 + k) * N + block_col + n]);
                }
                Bs[k][n] = b.x;
                Bs[k][n + 1] = b.y;
                Bs[k][n + 2] = b.z;
                Bs[k][n + 3] = b.w;
            }
        } else {
            for (int i = thread; i < BK * BN; i += (BM / TM) * (BN / TN)) {
                const int k = i / BN;
                const int n = i % BN;
                Bs[k][n] = (k0 + k < K && block_col + n < N) ? B[(k0 + k) * N + block_col + n] : 0.0f;
            }
        }
        // Separates the stores to As and Bs above from the reads of them, by other threads, below.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM];
            float b[TN];
            #pragma unroll
            for (int i = 0; i < TM; ++i) {
                a[i] = As[k][ty * TM + i];
            }
            #pragma unroll
            for (int j = 0; j < TN; ++j) {
                b[j] = Bs[k][tx * TN + j];
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
        const int row = block_row + ty * TM + i;
        #pragma unroll
        for (int j = 0; j < TN; j += 4) {
            const int col = block_col + tx * TN + j;
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
