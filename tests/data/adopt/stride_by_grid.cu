__global__ void goes_on(const float *A, const float *B, float *C, int M, int N, int K) {
    for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < M; r += gridDim.y * blockDim.y)
        for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < N; c += gridDim.x * blockDim.x) {
            float s = 0;
            for (int p = 0; p < K; ++p) s += A[r * K + p] * B[p * N + c];
            C[r * N + c] = s;
        }
}
