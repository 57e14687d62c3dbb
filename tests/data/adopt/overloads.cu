// Two kernels of one name.
__global__ void mm(const float *A, const float *B, float *C, int n) {
    int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n || c >= n) return;
    float s = 0;
    for (int k = 0; k < n; ++k) s += A[r * n + k] * B[k * n + c];
    C[r * n + c] = s;
}
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= M || c >= N) return;
    float s = 0;
    for (int k = 0; k < K; ++k) s += A[r * K + k] * B[k * N + c];
    C[r * N + c] = s;
}
