__global__ void mm(const float* A, size_t pitchA, const float* B, size_t pitchB, float* C, size_t pitchC, int M, int N, int K) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    const float* a = (const float*)((const char*)A + r * pitchA);
    float s = 0.0f;
    for (int k = 0; k < K; ++k) s += a[k] * ((const float*)((const char*)B + k * pitchB))[c];
    ((float*)((char*)C + r * pitchC))[c] = s;
}
void run(const float* A, size_t pa, const float* B, size_t pb, float* C, size_t pc, int M, int N, int K) {
    dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
    mm<<<grid, block>>>(A, pa, B, pb, C, pc, M, N, K);
}
