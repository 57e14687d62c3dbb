__global__ void padded(const float *A, const float *B, float *C, int n, int extra)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += A[row * (2 * n - extra) + k] * B[k * n + col];
    C[row * n + col] = sum;
}
