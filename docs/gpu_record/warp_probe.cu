// Stamps of every warp's phases in a tiled product, with n blocks per SM, and of a load-then-compute loop with W warps.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)
typedef unsigned long long u64;
constexpr int T = 16;
__device__ __forceinline__ u64 now() { u64 t; asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) :: "memory"); return t; }
__device__ __forceinline__ unsigned sm() { unsigned s; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); return s; }

// A barrier blocks a warp only at the next instruction that needs what it guards, so the clock is read behind a shared load whose value was used.
__device__ __forceinline__ void settle(volatile float* word, float never)
{
    float v = *word;
    asm volatile("{ .reg .pred p; setp.eq.f32 p, %0, %1; @p trap; }" :: "f"(v), "f"(never) : "memory");
}

template <bool STAMP>
__global__ void __launch_bounds__(256, 8) tiled(int M, int N, int K, const float* A, const float* B, float* C, u64* stamps, int* owner, int* taken, int most, float never)
{
    __shared__ float As[T][T], Bs[T][T];
    __shared__ int slot;
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    const int warp = (ty * T + tx) / 32, lane = (ty * T + tx) % 32, tiles = K / T;
    u64* mine = nullptr;
    if (STAMP) {
        if (tx == 0 && ty == 0) slot = sm() == 0 ? atomicAdd(taken, 1) : -1;
        __syncthreads();
        if (slot >= 0 && slot < most && lane == 0) {
            mine = stamps + ((size_t)slot * 8 + warp) * tiles * 4;
            if (warp == 0) owner[slot] = blockIdx.y * gridDim.x + blockIdx.x;
        }
    }
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        u64 a = STAMP ? now() : 0;
        As[ty][tx] = A[(size_t)row * K + t * T + tx];
        Bs[ty][tx] = B[(size_t)(t * T + ty) * N + col];
        u64 b = STAMP ? now() : 0;
        __syncthreads();
        if (STAMP) settle(&As[ty][tx], never);
        u64 c = STAMP ? now() : 0;
#pragma unroll
        for (int k = 0; k < T; ++k) sum = fmaf(As[ty][k], Bs[k][tx], sum);
        if (STAMP) asm volatile("" : "+f"(sum) :: "memory");
        u64 d = STAMP ? now() : 0;
        __syncthreads();
        if (STAMP) settle(&As[ty][tx], never);
        if (STAMP && mine) { mine[t * 4] = a; mine[t * 4 + 1] = b; mine[t * 4 + 2] = c; mine[t * 4 + 3] = d; }
    }
    C[(size_t)row * N + col] = sum;
}

int main(int argc, char** argv)
{
    FILE* f = fopen(argv[1], "w");
    cudaDeviceProp p; CK(cudaGetDeviceProperties(&p, 0));
    int khz = 0; cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
    int drv, rt; cudaDriverGetVersion(&drv); cudaRuntimeGetVersion(&rt);
    fprintf(f, "{\"device\":\"%s\",\"sms\":%d,\"clock_khz_max\":%d,\"driver\":%d,\"runtime\":%d,\n\"tiled\":[\n", p.name, p.multiProcessorCount, khz, drv, rt);
    const int M = 2048, N = 2048, K = 2048, tiles = K / T, most = 256;
    float *A, *B, *C, *D; u64* st; int *owner, *taken;
    CK(cudaMalloc(&A, (size_t)M * K * 4)); CK(cudaMalloc(&B, (size_t)K * N * 4)); CK(cudaMalloc(&C, (size_t)M * N * 4)); CK(cudaMalloc(&D, (size_t)M * N * 4));
    std::vector<float> h((size_t)M * K); srand(1); for (auto& x : h) x = (rand() % 2001 - 1000) / 1000.f;
    CK(cudaMemcpy(A, h.data(), h.size() * 4, cudaMemcpyHostToDevice)); for (auto& x : h) x = (rand() % 2001 - 1000) / 1000.f;
    CK(cudaMemcpy(B, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    size_t words = (size_t)most * 8 * tiles * 4;
    CK(cudaMalloc(&st, words * 8)); CK(cudaMalloc(&owner, most * 4)); CK(cudaMalloc(&taken, 4));
    cudaEvent_t e0, e1; cudaEventCreate(&e0); cudaEventCreate(&e1);
    dim3 block(T, T), grid(N / T, M / T);
    const int counts[] = {1, 2, 4, 8};
    int smem[4], smem_plain[4]; int got_plain[4], got_stamp[4];
    cudaFuncAttributes fa, fb; cudaFuncGetAttributes(&fa, tiled<false>); cudaFuncGetAttributes(&fb, tiled<true>);
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 2; ++k) {
            int best = -1;
            for (int b = 0; b <= 224 * 1024 && best < 0; b += 256) {
                int n = 0;
                CK(cudaFuncSetAttribute(k ? tiled<true> : tiled<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, b));
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k ? tiled<true> : tiled<false>, 256, b);
                if (n == counts[i]) best = b;
            }
            (k ? smem : smem_plain)[i] = best;
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(k ? &got_stamp[i] : &got_plain[i], k ? tiled<true> : tiled<false>, 256, best);
        }
    }
    CK(cudaFuncSetAttribute(tiled<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, 224 * 1024));
    CK(cudaFuncSetAttribute(tiled<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 224 * 1024));
    std::vector<float> plain[4], stamped[4];
    for (int rep = 0; rep < 25; ++rep)
        for (int i = 0; i < 4; ++i) {
            for (int s = 0; s < 2; ++s) {
                CK(cudaMemset(taken, 0, 4));
                cudaEventRecord(e0);
                if (s) tiled<true><<<grid, block, smem[i]>>>(M, N, K, A, B, D, st, owner, taken, most, 12345.f);
                else tiled<false><<<grid, block, smem_plain[i]>>>(M, N, K, A, B, C, st, owner, taken, most, 12345.f);
                cudaEventRecord(e1); CK(cudaEventSynchronize(e1)); float ms; cudaEventElapsedTime(&ms, e0, e1);
                if (rep >= 5) (s ? stamped[i] : plain[i]).push_back(ms);
            }
        }
    std::vector<float> c1((size_t)M * N), c2((size_t)M * N);
    CK(cudaMemcpy(c1.data(), C, c1.size() * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; ++i) {
        CK(cudaMemset(taken, 0, 4)); CK(cudaMemset(st, 0, words * 8));
        for (int w = 0; w < 3; ++w) { CK(cudaMemset(taken, 0, 4)); tiled<true><<<grid, block, smem[i]>>>(M, N, K, A, B, D, st, owner, taken, most, 12345.f); }
        CK(cudaDeviceSynchronize());
        CK(cudaMemcpy(c2.data(), D, c2.size() * 4, cudaMemcpyDeviceToHost));
        bool same = c1 == c2;
        int n; CK(cudaMemcpy(&n, taken, 4, cudaMemcpyDeviceToHost)); n = std::min(n, most);
        std::vector<u64> s(words); std::vector<int> own(most);
        CK(cudaMemcpy(s.data(), st, words * 8, cudaMemcpyDeviceToHost)); CK(cudaMemcpy(own.data(), owner, most * 4, cudaMemcpyDeviceToHost));
        u64 first = ~0ull, last = 0;
        for (int b = 0; b < n; ++b) for (int w = 0; w < 8; ++w) { u64* q = &s[((size_t)b * 8 + w) * tiles * 4]; first = std::min(first, q[0]); last = std::max(last, q[tiles * 4 - 1]); }
        u64 from = first + (last - first) / 2, to = from + 12000;
        fprintf(f, "%s{\"blocks_per_sm\":%d,\"occupancy\":[%d,%d],\"registers\":[%d,%d],\"dynamic_shared\":[%d,%d],\"same_bits\":%s,\"blocks_on_sm0\":%d,\"cycles\":%llu,\n\"plain_ms\":[", i ? "," : "", counts[i], got_plain[i], got_stamp[i], fa.numRegs, fb.numRegs, smem_plain[i], smem[i], same ? "true" : "false", n, last - first);
        for (size_t j = 0; j < plain[i].size(); ++j) fprintf(f, "%s%.6f", j ? "," : "", plain[i][j]);
        fprintf(f, "],\"stamped_ms\":["); for (size_t j = 0; j < stamped[i].size(); ++j) fprintf(f, "%s%.6f", j ? "," : "", stamped[i][j]);
        // totals over the whole launch on SM 0: cycles of each phase over all warps, and union of multiplying warps
        std::vector<std::pair<u64,int>> ev; double load = 0, bar1 = 0, mul = 0, bar2 = 0;
        for (int b = 0; b < n; ++b) for (int w = 0; w < 8; ++w) { u64* q = &s[((size_t)b * 8 + w) * tiles * 4];
            for (int t = 0; t < tiles; ++t) { load += q[t*4+1]-q[t*4]; bar1 += q[t*4+2]-q[t*4+1]; mul += q[t*4+3]-q[t*4+2]; if (t + 1 < tiles) bar2 += q[t*4+4]-q[t*4+3]; ev.push_back({q[t*4+2],1}); ev.push_back({q[t*4+3],-1}); } }
        std::sort(ev.begin(), ev.end()); u64 busy = 0, prev = 0; int open = 0; for (auto& e : ev) { if (open > 0) busy += e.first - prev; open += e.second; prev = e.first; }
        fprintf(f, "],\n\"warp_cycles\":{\"load\":%.0f,\"barrier_after_load\":%.0f,\"multiply\":%.0f,\"barrier_after_multiply\":%.0f},\"cycles_some_warp_multiplies\":%llu,\n\"from\":%llu,\"window\":12000,\"warps\":[\n", load, bar1, mul, bar2, busy, from - first);
        bool comma = false;
        for (int b = 0; b < n; ++b) for (int w = 0; w < 8; ++w) { u64* q = &s[((size_t)b * 8 + w) * tiles * 4];
            if (q[tiles*4-1] < from || q[0] > to) continue;
            fprintf(f, "%s{\"block\":%d,\"slot\":%d,\"warp\":%d,\"stamps\":[", comma ? ",\n" : "", own[b], b, w); comma = true; bool c0 = false;
            for (int t = 0; t < tiles; ++t) if (q[t*4+3] >= from && q[t*4] <= to) { fprintf(f, "%s[%lld,%lld,%lld,%lld]", c0 ? "," : "", (long long)(q[t*4]-from), (long long)(q[t*4+1]-from), (long long)(q[t*4+2]-from), (long long)(q[t*4+3]-from)); c0 = true; }
            fprintf(f, "]}"); }
        fprintf(f, "]}\n");
    }
    fprintf(f, "]}\n"); fclose(f); CK(cudaDeviceSynchronize()); return 0;
}
