#include <cuda_fp16.h>
__global__ void in_half(const __half *A, const __half *B, __half *C, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    __half sum = __float2half(0.0f);
    for (int k = 0; k < K; ++k) sum = __hfma(A[row * K + k], B[k * N + col], sum);
    C[row * N + col] = sum;
}
