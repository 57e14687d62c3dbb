__global__ void columns_apart(const float *A, const float *B, float *C, int n, int width)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= width) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * width + col];
    C[row * width + col] = sum;
}
