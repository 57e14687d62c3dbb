#define TILE_WIDTH 16
__global__ void plain(float *M, float *N, float *P, int m, int n, int o)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < o) {
        float sum = 0;
        for (int i = 0; i < n; ++i) sum += M[row * n + i] * N[i * o + col];
        P[row * o + col] = sum;
    }
}
// the columns of a block lie too close to each other for the step of the grid: most of P is never written
__global__ void with_gaps(float *M, float *N, float *P, int m, int n, int o)
{
    int row = blockIdx.y * TILE_WIDTH + threadIdx.y, first = blockIdx.x * TILE_WIDTH * 4 + threadIdx.x;
    for (int c = 0; c < 4; ++c) {
        int col = first + c * 4;
        float sum = 0;
        for (int i = 0; i < n; ++i) sum += row < m && col < o ? M[row * n + i] * N[i * o + col] : 0.0f;
        if (row < m && col < o) P[row * o + col] = sum;
    }
}
inline unsigned int cdiv(unsigned int a, unsigned int b) { return (a + b - 1) / b; }
void multiply(float *d_M, float *d_N, float *d_P, int m, int n, int o)
{
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    dim3 dimGrid(cdiv(o, dimBlock.x), cdiv(m, dimBlock.y));
    plain<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, m, n, o);
    with_gaps<<<dim3(cdiv(o, 4 * TILE_WIDTH), cdiv(m, TILE_WIDTH)), dimBlock>>>(d_M, d_N, d_P, m, n, o);
}
