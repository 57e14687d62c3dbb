template <typename T>
__global__ void in_type(const T *A, const T *B, T *C, T alpha, T beta, long long M, unsigned N, size_t K) {
  const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (at >= M * N) return;
  T sum = 0;
  for (size_t k = 0; k < K; ++k) sum += A[at / N * K + k] * B[k * N + at % N];
  C[at] = alpha * sum + beta * C[at];
}
