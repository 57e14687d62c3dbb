// Rows of B travel as four numbers at a time; the helpers have a namespace of their own.
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
const int WARPSIZE = 32;

namespace tiles {
template <const int BM, const int BN, const int BK, const int row_stride>
__device__ void load(int N, int K, const float *A, const float *B, float *As, float *Bs, int row_a, int col_a,
                     int row_b, int col_b) {
  const float4 tmp = reinterpret_cast<const float4 *>(&A[row_a * K + col_a * 4])[0];
  As[(col_a * 4 + 0) * BM + row_a] = tmp.x;
  As[(col_a * 4 + 1) * BM + row_a] = tmp.y;
  As[(col_a * 4 + 2) * BM + row_a] = tmp.z;
  As[(col_a * 4 + 3) * BM + row_a] = tmp.w;
  for (int row = row_b; row < BK; row += row_stride)
    reinterpret_cast<float4 *>(&Bs[row * BN + col_b * 4])[0] =
        reinterpret_cast<const float4 *>(&B[row * N + col_b * 4])[0];
}
} // namespace tiles

template <const int BM, const int BN, const int BK, const int TM>
__global__ void __launch_bounds__(BM *BN / TM)
    product(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  const int thread_row = threadIdx.x / BN, thread_col = threadIdx.x % BN;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  float sums[TM] = {0.0};
  for (int k = 0; k < K; k += BK) {
    if (threadIdx.x < BM * BK / 4)
      tiles::load<BM, BN, BK, BK>(N, K, A, B, As, Bs, threadIdx.x / (BK / 4), threadIdx.x % (BK / 4),
                                  threadIdx.x / (BN / 4), threadIdx.x % (BN / 4));
    __syncthreads();
    A += BK;
    B += BK * N;
    for (int i = 0; i < BK; ++i)
      for (int m = 0; m < TM; ++m) sums[m] += As[i * BM + thread_row * TM + m] * Bs[i * BN + thread_col];
    __syncthreads();
  }
  for (int m = 0; m < TM; ++m) {
    float *c = &C[(thread_row * TM + m) * N + thread_col];
    *c = alpha * sums[m] + beta * *c;
  }
}

void run_product(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C, cublasHandle_t handle) {
  dim3 grid(CEIL_DIV(N, 32), CEIL_DIV(M, 32));
  product<32, 32, 8, 4><<<grid, 256>>>(M, N, K, alpha, A, B, beta, C);
  assert(cudaGetLastError() == cudaSuccess);
}
