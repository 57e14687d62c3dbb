__global__ void lines_last(const float *x, const float *y, float *z, int p, int q, int r, int s, int t, int u) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= p || col >= q) return;
    float sum = 0;
    for (int i = 0; i < r; ++i) sum += x[row * s + i] * y[i * t + col];
    z[row * u + col] = sum;
}
