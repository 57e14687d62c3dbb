__global__ void conv2d(const float *in, const float *filter, float *out, int height, int width, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    int size = 2 * radius + 1;
    for (int i = -radius; i <= radius; ++i)
        for (int j = -radius; j <= radius; ++j)
            if (y + i >= 0 && y + i < height && x + j >= 0 && x + j < width)
                sum += in[(y + i) * width + x + j] * filter[(i + radius) * size + j + radius];
    out[y * width + x] = sum;
}
__global__ void conv1d(const float *in, const float *mask, float *out, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int j = 0; j < k; ++j) if (i + j < n) sum += in[i + j] * mask[j];
    out[i] = sum;
}
