#include <math.h>
__global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float top = -INFINITY, sum = 0.0f;
    for (int j = 0; j < cols; ++j) top = fmaxf(top, in[row * cols + j]);
    for (int j = 0; j < cols; ++j) sum += expf(in[row * cols + j] - top);
    for (int j = 0; j < cols; ++j) out[row * cols + j] = expf(in[row * cols + j] - top) / sum;
}
