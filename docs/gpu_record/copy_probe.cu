// One warp copies asynchronously from global to shared memory, each lane from and to where a table says: what the
// hardware counts of it is the copy's own doing. A lane with a negative offset takes no part.
__constant__ int table[96];

template <int BYTES, bool PAST_L1> __device__ __forceinline__ void copy(unsigned to, const char *from, int read)
{
    if (PAST_L1) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(read));
    } else if (BYTES == 16) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(read));
    } else if (BYTES == 8) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(read));
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(read));
    }
}

template <int BYTES, bool PAST_L1> __device__ __forceinline__ void probe(const char *matrix)
{
    extern __shared__ __align__(128) char tile[];
    const int from = table[threadIdx.x], to = table[32 + threadIdx.x], read = table[64 + threadIdx.x];
    if (from >= 0) {
        copy<BYTES, PAST_L1>(static_cast<unsigned>(__cvta_generic_to_shared(tile)) + to, matrix + from, read);
    }
    asm volatile("cp.async.wait_all;");
}

extern "C" __global__ void probe_4(const char *matrix) { probe<4, false>(matrix); }
extern "C" __global__ void probe_8(const char *matrix) { probe<8, false>(matrix); }
extern "C" __global__ void probe_16(const char *matrix) { probe<16, false>(matrix); }
extern "C" __global__ void probe_past_l1(const char *matrix) { probe<16, true>(matrix); }
