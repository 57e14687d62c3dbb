__global__ void lines_between(int M, int N, int K, const float *A, int lda, const float *B, int ldb, float *C, int ldc) {
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    __shared__ float a[16][16], b[16][16];
    float s = 0;
    for (int p = 0; p < K; p += 16) {
        a[threadIdx.y][threadIdx.x] = r < M && p + threadIdx.x < K ? A[r * lda + p + threadIdx.x] : 0;
        b[threadIdx.y][threadIdx.x] = c < N && p + threadIdx.y < K ? B[(p + threadIdx.y) * ldb + c] : 0;
        __syncthreads();
        for (int q = 0; q < 16; ++q) s += a[threadIdx.y][q] * b[q][threadIdx.x];
        __syncthreads();
    }
    if (r < M && c < N) C[r * ldc + c] = s;
}
