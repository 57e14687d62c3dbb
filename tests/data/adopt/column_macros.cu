#include <stdio.h>
#include <stdlib.h>
#define A(i, j) A[(i) + (j) * lda]
#define B(i, j) B[(i) + (j) * ldb]
#define C(i, j) C[(i) + (j) * ldc]
#define sa(i, j) sa[((i) << 4) + (j)]
#define sb(i, j) sb[((i) << 4) + (j)]
#define EDGE 16
// column by column, as BLAS has it
__global__ __launch_bounds__(256)
void column_tiles(int M, int N, int K, float alpha, float* A, float* B, float beta, float* C){
    int lda = M, ldb = K, ldc = M;
    int row = threadIdx.x & 15, col = threadIdx.x >> 4;
    A = &A((blockIdx.x << 4), 0);
    B = &B(0, (blockIdx.y << 4));
    C = &C((blockIdx.x << 4), (blockIdx.y << 4));
    __shared__ float sa[EDGE * EDGE];
    __shared__ float sb[EDGE * EDGE];
    float sum = 0.;
    for (int k = 0; k < K; k += EDGE) {
        sa(row, col) = A(row, col);
        sb(col, row) = B(row, col);
        A += lda << 4; B += EDGE;
        __syncthreads();
        for (int i = 0; i < EDGE; ++i) sum += sa(row, i) * sb(col, i);
        __syncthreads();
    }
    C(row, col) = alpha * sum + beta * C(row, col);
}
