// Stamps of every warp's phases in a kernel of the ladder. stamped_kernels.py writes what -include adds in front: the kernel
// and its stamped copy. -D gives the names of both (KERNEL, STAMPED), the parameters, and the threads of a block (BLOCK).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)
typedef unsigned long long u64;
constexpr int MOST = 32, WARPS = BLOCK / 32, WINDOW = 12000, SIZE = 4096, STEPS = SIZE / BK;

int main(int, char **argv)
{
    FILE *f = fopen(argv[1], "w");
    const size_t count = (size_t)SIZE * SIZE, words = (size_t)MOST * WARPS * STEPS * 4;
    float *A, *B, *C, *D;
    u64 *stamps;
    CK(cudaMalloc(&A, count * 4)); CK(cudaMalloc(&B, count * 4)); CK(cudaMalloc(&C, count * 4)); CK(cudaMalloc(&D, count * 4));
    CK(cudaMalloc(&stamps, words * 8));
    CK(cudaMemcpyToSymbol(probe_stamps, &stamps, sizeof stamps));
    std::vector<float> host(count);
    srand(1);
    for (float *to : {A, B}) {
        for (float &x : host) x = (rand() % 2001 - 1000) / 1000.f;
        CK(cudaMemcpy(to, host.data(), count * 4, cudaMemcpyHostToDevice));
    }
    const dim3 grid(SIZE / BN, SIZE / BM);
    int fits_plain, fits;
    CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits_plain, KERNEL, BLOCK, 0));
    CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, STAMPED, BLOCK, 0));
    cudaFuncAttributes plain_facts, facts;
    CK(cudaFuncGetAttributes(&plain_facts, KERNEL)); CK(cudaFuncGetAttributes(&facts, STAMPED));
    cudaEvent_t begin, end;
    CK(cudaEventCreate(&begin)); CK(cudaEventCreate(&end));
    std::vector<float> plain_ms, stamped_ms;
    const int zero = 0;
    for (int launch = 0; launch < 25; ++launch)
        for (int with : {0, 1}) {
            CK(cudaMemcpyToSymbol(probe_taken, &zero, sizeof zero));
            CK(cudaMemset(stamps, 0, words * 8));
            CK(cudaEventRecord(begin));
            if (with) STAMPED<<<grid, BLOCK>>>(A, B, D, SIZE, SIZE, SIZE);
            else KERNEL<<<grid, BLOCK>>>(A, B, C, SIZE, SIZE, SIZE);
            CK(cudaEventRecord(end)); CK(cudaEventSynchronize(end));
            float ms;
            CK(cudaEventElapsedTime(&ms, begin, end));
            if (launch >= 5) (with ? stamped_ms : plain_ms).push_back(ms);
        }
    std::vector<float> other(count);
    CK(cudaMemcpy(host.data(), C, count * 4, cudaMemcpyDeviceToHost)); CK(cudaMemcpy(other.data(), D, count * 4, cudaMemcpyDeviceToHost));
    int taken, owner[MOST];
    CK(cudaMemcpyFromSymbol(&taken, probe_taken, sizeof taken)); CK(cudaMemcpyFromSymbol(owner, probe_owner, sizeof owner));
    if (taken > MOST) { fprintf(stderr, "more blocks on SM 0 than there is room for\n"); return 1; }
    std::vector<u64> all(words);
    CK(cudaMemcpy(all.data(), stamps, words * 8, cudaMemcpyDeviceToHost));
    const size_t used = (size_t)taken * WARPS * STEPS;
    u64 first = ~0ull, last = 0, busy = 0, until = 0;
    std::vector<std::pair<u64, u64>> spans;
    for (size_t i = 0; i < used; ++i) {
        first = std::min(first, all[i * 4]); last = std::max(last, all[i * 4 + 3]);
        spans.push_back({all[i * 4 + 2], all[i * 4 + 3]});
    }
    std::sort(spans.begin(), spans.end());
    for (auto &[start, stop] : spans) { if (stop > until) { busy += stop - std::max(start, until); until = stop; } }
    // In the middle of a block, neither of the first ones nor of the last.
    const u64 from = first + (last - first) * 2 / 5;
    fprintf(f, "{\"blocks_per_sm\":%d,\"occupancy\":[%d,%d],\"registers\":[%d,%d],\"dynamic_shared\":[0,0],\"same_bits\":%s,\"blocks_on_sm0\":%d,\"cycles\":%llu,\"window\":%d,\"cycles_some_warp_multiplies\":%llu,\n\"plain_ms\":[",
        fits, fits_plain, fits, plain_facts.numRegs, facts.numRegs, host == other ? "true" : "false", taken, last - first, WINDOW, busy);
    for (size_t i = 0; i < plain_ms.size(); ++i) fprintf(f, "%s%.6f", i ? "," : "", plain_ms[i]);
    fprintf(f, "],\"stamped_ms\":[");
    for (size_t i = 0; i < stamped_ms.size(); ++i) fprintf(f, "%s%.6f", i ? "," : "", stamped_ms[i]);
    fprintf(f, "],\n\"warps\":[");
    bool is_next = false;
    for (int b = 0; b < taken; ++b)
        for (int w = 0; w < WARPS; ++w) {
            const u64 *mine = &all[((size_t)b * WARPS + w) * STEPS * 4];
            if (mine[STEPS * 4 - 1] < from || mine[0] > from + WINDOW) continue;
            fprintf(f, "%s{\"block\":%d,\"slot\":%d,\"warp\":%d,\"stamps\":[", is_next ? ",\n" : "", owner[b], b, w);
            is_next = true;
            bool is_more = false;
            for (int t = 0; t < STEPS; ++t) {
                const u64 *s = mine + t * 4;
                if (s[3] < from || s[0] > from + WINDOW) continue;
                fprintf(f, "%s[%lld,%lld,%lld,%lld]", is_more ? "," : "", (long long)(s[0] - from), (long long)(s[1] - from), (long long)(s[2] - from), (long long)(s[3] - from));
                is_more = true;
            }
            fprintf(f, "]}");
        }
    fprintf(f, "]}\n");
    fclose(f);
    return 0;
}
