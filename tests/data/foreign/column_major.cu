#include <stdio.h>
#include <stdlib.h>
#define A(i,j) A[(i)+(j)*lda]
#define B(i,j) B[(i)+(j)*ldb]
#define C(i,j) C[(i)+(j)*ldc]
#define sa(i,j) sa[((i)<<4)+(j)]
#define sb(i,j) sb[((i)<<4)+(j)]
#define MS 16
#define KS 16
// column by column, as BLAS has it
__global__  __launch_bounds__(256)
void column_product(int M, int N, int K, float alpha, float* A, float* B, float beta, float* C){
    int lda = M, ldb = K, ldc = M;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.x * MS + tx, col = blockIdx.y * MS + ty;
    __shared__ float sa[MS*KS];
    __shared__ float sb[KS*MS];
    float tmp = 0.f;
    for (int k = 0; k < K; k += KS) {
        sa(tx,ty) = row < M && k + ty < K ? A(row, k + ty) : 0.f;
        sb(ty,tx) = col < N && k + tx < K ? B(k + tx, col) : 0.f;
        __syncthreads();
        for (int i = 0; i < KS; i++) tmp += sa(tx,i) * sb(ty,i);
        __syncthreads();
    }
    if (row < M && col < N) C(row,col) = alpha * tmp + beta * C(row,col);
}
