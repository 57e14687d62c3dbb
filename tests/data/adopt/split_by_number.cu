#define EDGE 16
__global__ void slices(const float *A, const float *B, float *C, int M, int N, int K, int splits)
{
    int row = blockIdx.y * EDGE + threadIdx.y, col = blockIdx.x * EDGE + threadIdx.x;
    int slice = (K + splits - 1) / splits, begin = blockIdx.z * slice, end = min(K, begin + slice);
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = begin; k < end; ++k) sum += A[row * K + k] * B[k * N + col];
    atomicAdd(&C[row * N + col], sum);
}

void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int splits = 4;
    cudaMemset(C, 0, sizeof(float) * M * N);
    dim3 block(EDGE, EDGE), grid((N + EDGE - 1) / EDGE, (M + EDGE - 1) / EDGE, splits);
    slices<<<grid, block>>>(A, B, C, M, N, K, splits);
}
