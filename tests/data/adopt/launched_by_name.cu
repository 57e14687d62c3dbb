#include <cuda_runtime.h>
namespace mine {
constexpr int kEdge = 8;
__global__ void rows(double *out, const double *left, const double *right, unsigned rows, unsigned inner, unsigned columns)
{
    unsigned row = blockIdx.x;
    for (unsigned col = threadIdx.x; col < columns; col += blockDim.x) {
        double sum = 0;
        for (unsigned k = 0; k < inner; ++k) sum += left[row * inner + k] * right[k * columns + col];
        out[row * columns + col] = sum;
    }
}
}
cudaError_t go(double *out, double *left, double *right, unsigned rows, unsigned inner, unsigned columns)
{
    void *arguments[] = {&out, &left, &right, &rows, &inner, &columns};
    dim3 block(mine::kEdge * mine::kEdge), grid = dim3(rows);
    return cudaLaunchKernel((void *)mine::rows, grid, block, arguments, 0, nullptr);
}
