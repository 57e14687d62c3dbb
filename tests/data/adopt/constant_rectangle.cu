#define TILE 16
constexpr int ROWS_A = 96;
enum { K = 64, COLS_B = 160 };
__global__ void rectangle(const float *A, const float *B, float *C)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int step = 0; step < K; step += TILE) {
        As[y][x] = A[row * K + step + x];
        Bs[y][x] = B[(step + y) * COLS_B + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[y][k] * Bs[k][x];
        __syncthreads();
    }
    if (row < ROWS_A) C[row * COLS_B + col] = sum;
}
