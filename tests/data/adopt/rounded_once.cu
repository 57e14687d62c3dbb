#include <cuda_fp16.h>
__global__ void hgemm(const __half* A, const __half* B, __half* C, int M, int N, int K) {
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= M || j >= N) return;
    float s = 0; for (int k = 0; k < K; ++k) s += __half2float(A[i * K + k]) * __half2float(B[k * N + j]);
    C[i * N + j] = __float2half(s);
}
