#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void half_kernel(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int i = 0; i < K; ++i) sum += __half2float(A[row * K + i]) * __half2float(B[i * N + col]);
    C[row * N + col] = __float2half(alpha * sum + beta * __half2float(C[row * N + col]));
}

// A, B and C are pointers to memory of the device
extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta)
{
    dim3 threadsPerBlock(16, 16);
    dim3 blocksPerGrid((N + threadsPerBlock.x - 1) / threadsPerBlock.x, (M + threadsPerBlock.y - 1) / threadsPerBlock.y);
    half_kernel<<<blocksPerGrid, threadsPerBlock>>>(A, B, C, M, N, K, alpha, beta);
    cudaDeviceSynchronize();
}
