__global__ void gemv_warp(int m, int n, float alpha, const float *__restrict__ a, int lda, const float *__restrict__ x, float beta, float *__restrict__ y)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= m) return;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < n; j += 32) sum += a[row * lda + j] * x[j];
    for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
    if (threadIdx.x == 0) y[row] = alpha * sum + beta * y[row];
}
