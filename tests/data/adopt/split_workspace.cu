__global__ void parts(const float *A, const float *B, float *workspace, int M, int N, int K, int splits)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, part = blockIdx.z;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = part; k < K; k += splits) sum += A[row * K + k] * B[k * N + col];
    workspace[part * M * N + row * N + col] = sum;
}
__global__ void add_parts(const float *workspace, float *C, int M, int N, int splits)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= M * N) return;
    float sum = 0.0f;
    for (int part = 0; part < splits; ++part) sum += workspace[part * M * N + i];
    C[i] = sum;
}
