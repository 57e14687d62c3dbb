__global__ void rectified(const float *A, const float *B, float *C, int M, int N, int K, float alpha)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = fmaxf(alpha * sum, 0.0f);
}
