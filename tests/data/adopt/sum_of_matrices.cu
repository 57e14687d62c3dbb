__global__ void add(const float *A, const float *B, float *C, int M, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && col < N) C[row * N + col] = A[row * N + col] + B[row * N + col];
}
