/*---
title   = "Tensor cores fed by cp.async"
order   = 310
entry   = "sgemm_mma_tf32"
teaches = "cp.async copies tiles into shared memory without registers, STAGES - 1 steps ahead of the tensor cores, so one barrier per step is enough."
origin  = "written for the ladder: wmma_tf32 with mma.sync and several stages"
requires = ["cuda", "sm_80"]
arithmetic = "tf32"
operands = "float32"
constraints = [
    {rule = "4 * STAGES * (BM * (BK + 4) + BK * (BN + 8)) <= shared_bytes_per_block", because = "STAGES tiles of A and of B, padded against bank conflicts, must fit into the shared memory of one block"},
]
[params.BM]
label   = "Rows of C per block"
choices = [64, 128]
default = 128
[params.BN]
label   = "Columns of C per block"
choices = [64, 128, 256]
default = 128
[params.BK]
label   = "Depth of a step"
choices = [8, 16, 32]
default = 32
[params.STAGES]
label   = "Pipeline stages"
choices = [2, 3, 4]
default = 3
[launch]
block = ["32", "(BM // 64) * (BN // 64)"]
grid  = ["ceil_div(M, BM)", "ceil_div(N, BN)"]
shared_bytes = "4 * STAGES * (BM * (BK + 4) + BK * (BN + 8))"
static_shared_bytes = "0"
---*/

constexpr int THREADS = BM / 64 * (BN / 64) * 32;      // each warp has 64 x 64 elements of C
constexpr int A_PITCH = BK + 4;                        // padded: eight rows of 16 bytes lie in different banks
constexpr int B_PITCH = BN + 8;                        // padded: four rows of eight words lie in different banks
constexpr int STAGE = BM * A_PITCH + BK * B_PITCH;     // floats

__device__ __forceinline__ unsigned shared_address(const void *pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Copies BYTES from global to shared memory some time later; where `inside` is false it writes zeros and reads nothing.
template <int BYTES> __device__ __forceinline__ void copy_async(float *to, const float *from, bool inside)
{
    const int read = inside ? BYTES : 0;
    if (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from), "r"(read));
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(to)), "l"(from), "r"(read));
    }
}

// Copies the ROWS x COLUMNS tile that begins at matrix[row][col], WIDE floats at a time.
template <int ROWS, int COLUMNS, int PITCH, int WIDE>
__device__ __forceinline__ void fetch(float *tile, const float *matrix, int row, int col, int rows, int columns,
                                      int thread)
{
    constexpr int ACROSS = COLUMNS / WIDE < THREADS ? COLUMNS / WIDE : THREADS;
    constexpr int DOWN = THREADS / ACROSS;
    #pragma unroll
    for (int x = 0; x < COLUMNS / WIDE / ACROSS; ++x) {
        const int c = (thread % ACROSS + x * ACROSS) * WIDE;
        #pragma unroll
        for (int y = 0; y < ROWS / DOWN; ++y) {
            const int r = thread / ACROSS + y * DOWN;
            const bool inside = row + r < rows && col + c < columns;
            const float *from = matrix + (long long)(row + r) * columns + col + c;
            copy_async<4 * WIDE>(tile + r * PITCH + c, inside ? from : matrix, inside);
        }
    }
}

__device__ __forceinline__ unsigned to_tf32(unsigned bits)
{
    unsigned rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(__uint_as_float(bits)));
    return rounded;
}

extern "C" __global__ void __launch_bounds__(THREADS)
sgemm_mma_tf32(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ __align__(16) float stages[];

    const int lane = threadIdx.x;
    const int thread = threadIdx.y * 32 + lane;
    const int g = lane / 4;                             // mma names lanes by group and thread in group
    const int t = lane % 4;
    const int block_row = blockIdx.x * BM;
    const int block_col = blockIdx.y * BN;
    const int warp_row = threadIdx.y / (BN / 64) * 64;
    const int warp_col = threadIdx.y % (BN / 64) * 64;
    const int steps = (K + BK - 1) / BK;
    float acc[4][8][4] = {};                            // 4 x 8 pieces of 16 x 8

    auto load = [&](int step) {
        if (step < steps) {
            float *a = stages + step % STAGES * STAGE;
            float *b = a + BM * A_PITCH;
            // Rows begin at multiples of 16 bytes only if their length is a multiple of 4.
            if (K % 4 == 0) {
                fetch<BM, BK, A_PITCH, 4>(a, A, block_row, step * BK, M, K, thread);
            } else {
                fetch<BM, BK, A_PITCH, 1>(a, A, block_row, step * BK, M, K, thread);
            }
            if (N % 4 == 0) {
                fetch<BK, BN, B_PITCH, 4>(b, B, step * BK, block_col, K, N, thread);
            } else {
                fetch<BK, BN, B_PITCH, 1>(b, B, step * BK, block_col, K, N, thread);
            }
        }
        asm volatile("cp.async.commit_group;");         // also where nothing was asked for, so that the count is right
    };

    for (int step = 0; step < STAGES - 1; ++step) {
        load(step);
    }
    for (int step = 0; step < steps; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        // Separates the copies of this step's tiles, which every thread has just seen the end of its own of, from the
        // reads of them below; and the reads of the step before from the copies that now take the place of its tiles.
        __syncthreads();
        load(step + STAGES - 1);

        const float *As = stages + step % STAGES * STAGE;
        const float *Bs = As + BM * A_PITCH;
        #pragma unroll
        for (int k = 0; k < BK; k += 8) {
            unsigned a[4][4];
            unsigned b[8][2];
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                // Four 8 x 4 pieces in one instruction: lane l gives the address of row l % 8 of piece l / 8 and
                // receives element l % 4 of row l / 4 of each.
                const float *from = As + (warp_row + i * 16 + lane % 16) * A_PITCH + k + lane / 16 * 4;
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                             : "r"(shared_address(from)));
            }
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                b[j][0] = __float_as_uint(Bs[(k + t) * B_PITCH + warp_col + j * 8 + g]);
                b[j][1] = __float_as_uint(Bs[(k + t + 4) * B_PITCH + warp_col + j * 8 + g]);
            }
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                #pragma unroll
                for (int e = 0; e < 4; ++e) {
                    a[i][e] = to_tf32(a[i][e]);
                }
            }
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                b[j][0] = to_tf32(b[j][0]);
                b[j][1] = to_tf32(b[j][1]);
            }
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                #pragma unroll
                for (int j = 0; j < 8; ++j) {
                    float(&c)[4] = acc[i][j];
                    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                                 : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b[j][0]), "r"(b[j][1]));
                }
            }
        }
    }

    // A lane holds columns 2t and 2t + 1 of rows g and g + 8 of each piece.
    #pragma unroll
    for (int i = 0; i < 4; ++i) {
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            #pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int row = block_row + warp_row + i * 16 + half * 8 + g;
                const int col = block_col + warp_col + j * 8 + 2 * t;
                float *to = C + (long long)row * N + col;
                if (N % 2 == 0) {
                    if (row < M && col < N) {
                        *reinterpret_cast<float2 *>(to) = make_float2(acc[i][j][half * 2], acc[i][j][half * 2 + 1]);
                    }
                } else {
                    if (row < M && col < N) {
                        to[0] = acc[i][j][half * 2];
                    }
                    if (row < M && col + 1 < N) {
                        to[1] = acc[i][j][half * 2 + 1];
                    }
                }
            }
        }
    }
}
