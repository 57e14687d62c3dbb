/*---
title  = "A 3-D block: z shares out K, and its sums meet in shared memory"
entry  = "block_3d"
[launch]
block = ["4", "3", "5"]
grid  = ["ceil_div(N, 4)", "ceil_div(M, 3)"]
static_shared_bytes = "240"
---*/

__global__ void block_3d(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[5][3][4];
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned z = threadIdx.z;
    float acc = 0.0f;
    if (row < M && col < N)
        for (int k = z; k < K; k += blockDim.z)
            acc += A[row * K + k] * B[k * N + col];
    part[z][threadIdx.y][threadIdx.x] = acc;
    __syncthreads();
    if (z == 0 && row < M && col < N) {
        float sum = part[0][threadIdx.y][threadIdx.x];
        for (unsigned other = 1; other < blockDim.z; ++other)
            sum += part[other][threadIdx.y][threadIdx.x];
        C[row * N + col] = sum;
    }
}
