__global__ void strided(const float *A, const float *B, float *C, int M, int N, int K)
{
    A += blockIdx.z * M * K; B += blockIdx.z * K * N; C += blockIdx.z * M * N;
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
