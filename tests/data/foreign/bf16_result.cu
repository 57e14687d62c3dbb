#include <cuda_bf16.h>
typedef __nv_bfloat16 bf16;
#define AT(X, i, j, ld) X[(j) * (ld) + (i)]

__global__ void bf16_product(int M, int N, int K, const bf16 *A, const bf16 *B, bf16 *C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += (float)A[i * K + k] * (float)AT(B, k, j, K);
  AT(C, i, j, M) = (bf16)sum;
}
