__global__ void bmm(const float *A, const float *B, float *C, int batch, int M, int N, int K, long long strideA, long long strideB, long long strideC) {
    int z = blockIdx.z, r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    if (z >= batch || r >= M || c >= N) return;
    A += z * strideA; B += z * strideB; C += z * strideC;
    float s = 0; for (int k = 0; k < K; ++k) s += A[r * K + k] * B[k * N + c];
    C[r * N + c] = s;
}
