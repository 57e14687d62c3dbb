__global__ void batched(const float *A, const float *B, float *C, int BATCH, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, which = blockIdx.z;
    if (row >= M || col >= N || which >= BATCH) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[(which * M + row) * K + k] * B[(which * K + k) * N + col];
    C[(which * M + row) * N + col] = sum;
}
