/*---
title  = "Arrays of one thread, with and without first values, kept across barriers"
entry  = "private_arrays"
[launch]
block = ["4", "4"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "512"
---*/
#define T 2

__global__ void private_arrays(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[8][8], Bs[8][8];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int rows[T] = {(int)blockIdx.y * 8 + ty, (int)blockIdx.y * 8 + ty + 4};
    int cols[T];
    float acc[T][T] = {{0.0f, 0.0f}, {0.0f}};
    for (int j = 0; j < T; ++j)
        cols[j] = blockIdx.x * 8 + tx + 4 * j;
    for (int k0 = 0; k0 < K; k0 += 8) {
        for (int i = 0; i < T; ++i)
            for (int j = 0; j < T; ++j) {
                const int m = ty + 4 * i, n = tx + 4 * j;
                As[m][n] = rows[i] < M && k0 + n < K ? A[rows[i] * K + k0 + n] : 0.0f;
                Bs[m][n] = k0 + m < K && cols[j] < N ? B[(k0 + m) * N + cols[j]] : 0.0f;
            }
        __syncthreads();
        float part[T][T] = {};
        for (int k = 0; k < 8; ++k) {
            float a[T], b[T] = {Bs[k][tx], Bs[k][tx + 4]};
            for (int i = 0; i < T; ++i)
                a[i] = As[ty + 4 * i][k];
            for (int i = 0; i < T; ++i)
                for (int j = 0; j < T; ++j)
                    part[i][j] += a[i] * b[j];
        }
        __syncthreads();
        for (int i = 0; i < T * T; ++i)
            acc[i / T][i % T] += part[i / T][i % T];
    }
    for (int i = 0; i < T; ++i)
        for (int j = 0; j < T; ++j)
            if (rows[i] < M && cols[j] < N)
                C[rows[i] * N + cols[j]] = acc[i][j];
}
