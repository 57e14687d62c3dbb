__global__ void bmm(const float *A, const float *B, float *C, int batch, int M, int N, int K, long long strideA, long long strideB, long long strideC) {
    int z = blockIdx.z, r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    if (z >= batch || r >= M || c >= N) return;
    A += z * strideA; B += z * strideB; C += z * strideC;
    float s = 0; for (int k = 0; k < K; ++k) s += A[r * K + k] * B[k * N + c];
    C[r * N + c] = s;
}
int main() {
    int M = 64, N = 96, K = 32, batch = 1; float *A, *B, *C;
    cudaMalloc(&A, 4 * M * K); cudaMalloc(&B, 4 * K * N); cudaMalloc(&C, 4 * M * N);
    bmm<<<dim3((N + 15) / 16, (M + 15) / 16, batch), dim3(16, 16)>>>(A, B, C, batch, M, N, K, (long long)M * K, (long long)K * N, (long long)M * N);
}
