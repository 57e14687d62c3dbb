#include <cmath>
#include <cstdio>

template <typename T>
__global__ void tiles(T *A, T *B, T *C, int num_rows_A, int num_cols_A, int num_rows_B, int num_cols_B,
                      int num_rows_C, int num_cols_C)
{
    extern __shared__ float tile[];
    float *tile_a = tile, *tile_b = tile + blockDim.x * blockDim.y;
    const int edge = blockDim.x;
    const int row = blockIdx.y * edge + threadIdx.y, col = blockIdx.x * edge + threadIdx.x;
    T sum = 0;
    for (int step = 0; step < num_cols_A; step += edge) {
        const int k_a = step + threadIdx.x, k_b = step + threadIdx.y;
        tile_a[threadIdx.y * edge + threadIdx.x] = row < num_rows_A && k_a < num_cols_A ? A[row * num_cols_A + k_a] : 0;
        tile_b[threadIdx.y * edge + threadIdx.x] = k_b < num_rows_B && col < num_cols_B ? B[k_b * num_cols_B + col] : 0;
        __syncthreads();
        for (int k = 0; k < edge; ++k) sum += tile_a[threadIdx.y * edge + k] * tile_b[k * edge + threadIdx.x];
        __syncthreads();
    }
    if (row < num_rows_C && col < num_cols_C) C[row * num_cols_C + col] = sum;
}

template <typename T> void launch(T *a, T *b, T *c, int rows, int inner, int cols, int t_x)
{
    dim3 block_dim(t_x, t_x, 1);
    dim3 grid_dim(std::ceil(static_cast<float>(cols) / block_dim.x), std::ceil(static_cast<float>(rows) / block_dim.y), 1);
    size_t bytes = 2 * t_x * t_x * sizeof(float);
    tiles<T><<<grid_dim, block_dim, bytes>>>(a, b, c, rows, inner, inner, cols, rows, cols);
}
