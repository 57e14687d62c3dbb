#include <cstdint>
#include <cstdio>
#include <vector>

bool same(const float *a, const float *b, int count) { return std::vector<float>(a, a + count) == std::vector<float>(b, b + count); }

__device__ __forceinline__ void load_guarded(float &value, const void *from, bool is_inside)
{
    asm volatile("{.reg .pred p;\n setp.ne.b32 p, %2, 0;\n @!p mov.b32 %0, 0;\n @p ld.global.nc.f32 %0, [%1];}\n"
                 : "=f"(value) : "l"(from), "r"((int)is_inside));
}

__device__ __forceinline__ void store_guarded(float value, void *to, bool is_inside)
{
    asm volatile("{.reg .pred p;\n setp.ne.b32 p, %2, 0;\n @p st.global.f32 [%0], %1;}\n"
                 : : "l"(to), "f"(value), "r"((int)is_inside));
}

__global__ __launch_bounds__(256, 2)
void assembled(const float *A, const float *B, float *C, uint32_t m, uint32_t n, uint32_t k,
               uint32_t row_step,  // k * sizeof(float)
               uint32_t b_step)    // n * sizeof(float)
{
    const uint32_t row = blockIdx.y * 16 + threadIdx.x / 16, col = blockIdx.x * 16 + threadIdx.x % 16;
    const char *a = (const char *)A + row * row_step, *b = (const char *)(B + col);
    float sum = 0.f, left, right;
    for (uint32_t i = 0; i < k; ++i, a += 4, b += b_step) {
        load_guarded(left, a, row < m);
        load_guarded(right, b, col < n);
        sum += left * right;
    }
    store_guarded(sum, C + row * n + col, row < m && col < n);
}

int main()
{
    int m = 5120;
    int n = 4096;
    int k = 2048;
    float *d_A, *d_B, *d_C;
    cudaMalloc(&d_A, m * k * sizeof(float));
    cudaMalloc(&d_B, k * n * sizeof(float));
    cudaMalloc(&d_C, m * n * sizeof(float));
    dim3 grid((n + 15) / 16, (m + 15) / 16);
    assembled<<<grid, 256>>>(d_A, d_B, d_C, m, n, k, k * sizeof(float), n * sizeof(float));
}
