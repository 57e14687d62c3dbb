/*---
title   = "Tensor cores through wmma"
order   = 300
entry   = "sgemm_wmma_tf32"
teaches = "A warp hands 16 x 8 by 8 x 16 products to a tensor core as a whole. No thread knows which elements it holds, and inputs keep 11 of their 24 significant bits."
origin  = "written for the ladder: register_2d on tensor cores"
requires = ["cuda", "sm_80"]
arithmetic = "tf32"
operands = "float32"
[params.BM]
label   = "Rows of C per block"
choices = [32, 64, 128]
default = 128
[params.BN]
label   = "Columns of C per block"
choices = [64, 128]
default = 128
[params.BK]
label   = "Depth of a step"
choices = [8, 16, 32]
default = 32
[launch]
block = ["32", "8"]
grid  = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared_bytes = "0"
static_shared_bytes = "4 * (BM * (BK + 4) + BK * (BN + 8) + 8 * 16 * 16)"
---*/

#include <mma.h>

using namespace nvcuda;

// Eight warps share the block's BM x BN elements of C, two warps down and four across. A fragment is a 16 x 16 piece
// of C (or the 16 x 8 and 8 x 16 pieces of A and B that it is made from), spread over the 32 lanes of a warp.
constexpr int DOWN = BM / 2 / 16;
constexpr int ACROSS = BN / 4 / 16;

extern "C" __global__ void __launch_bounds__(256)
sgemm_wmma_tf32(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) float As[BM][BK + 4];     // the padding keeps a fragment's rows in different banks
    __shared__ __align__(32) float Bs[BK][BN + 8];
    __shared__ __align__(32) float Cs[8][16][16];      // a piece of C per warp, on its way to C

    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int thread = warp * 32 + lane;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    const int warp_row = warp / 4 * (BM / 2);
    const int warp_col = warp % 4 * (BN / 4);

    wmma::fragment<wmma::accumulator, 16, 16, 8, float> acc[DOWN][ACROSS];
    #pragma unroll
    for (int i = 0; i < DOWN; ++i) {
        #pragma unroll
        for (int j = 0; j < ACROSS; ++j) {
            wmma::fill_fragment(acc[i][j], 0.0f);
        }
    }

    for (int k0 = 0; k0 < K; k0 += BK) {
        // Rounded to TF32 once, on the way in: a tensor core does not round, it drops the bits it has no room for.
        if (K % 4 == 0) {
            for (int i = thread; i < BM * (BK / 4); i += 256) {
                const int m = i / (BK / 4);
                const int k = i % (BK / 4) * 4;
                float4 a = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                if (block_row + m < M && k0 + k < K) {
                    a = *reinterpret_cast<const float4 *>(&A[(long long)(block_row + m) * K + k0 + k]);
                }
                As[m][k] = wmma::__float_to_tf32(a.x);
                As[m][k + 1] = wmma::__float_to_tf32(a.y);
                As[m][k + 2] = wmma::__float_to_tf32(a.z);
                As[m][k + 3] = wmma::__float_to_tf32(a.w);
            }
        } else {
            for (int i = thread; i < BM * BK; i += 256) {
                const int m = i / BK;
                const int k = i % BK;
                const bool inside = block_row + m < M && k0 + k < K;
                As[m][k] = inside ? wmma::__float_to_tf32(A[(long long)(block_row + m) * K + k0 + k]) : 0.0f;
            }
        }
        if (N % 4 == 0) {
            for (int i = thread; i < BK * (BN / 4); i += 256) {
                const int k = i / (BN / 4);
                const int n = i % (BN / 4) * 4;
                float4 b = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                if (k0 + k < K && block_col + n < N) {
                    b = *reinterpret_cast<const float4 *>(&B[(long long)(k0 + k) * N + block_col + n]);
                }
                Bs[k][n] = wmma::__float_to_tf32(b.x);
                Bs[k][n + 1] = wmma::__float_to_tf32(b.y);
                Bs[k][n + 2] = wmma::__float_to_tf32(b.z);
                Bs[k][n + 3] = wmma::__float_to_tf32(b.w);
            }
        } else {
            for (int i = thread; i < BK * BN; i += 256) {
                const int k = i / BN;
                const int n = i % BN;
                const bool inside = k0 + k < K && block_col + n < N;
                Bs[k][n] = inside ? wmma::__float_to_tf32(B[(long long)(k0 + k) * N + block_col + n]) : 0.0f;
            }
        }
        // Separates the stores to As and Bs above from the reads of them, by other warps, below.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < BK; k += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a[DOWN];
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b[ACROSS];
            #pragma unroll
            for (int i = 0; i < DOWN; ++i) {
                wmma::load_matrix_sync(a[i], &As[warp_row + i * 16][k], BK + 4);
            }
            #pragma unroll
            for (int j = 0; j < ACROSS; ++j) {
                wmma::load_matrix_sync(b[j], &Bs[k][warp_col + j * 16], BN + 8);
            }
            #pragma unroll
            for (int i = 0; i < DOWN; ++i) {
                #pragma unroll
                for (int j = 0; j < ACROSS; ++j) {
                    wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
                }
            }
        }
        // Separates the reads of As and Bs above from the stores of the next pair of tiles.
        __syncthreads();
    }

    // A fragment can only be stored whole, and C may end inside it: so it goes through shared memory first.
    #pragma unroll
    for (int i = 0; i < DOWN; ++i) {
        #pragma unroll
        for (int j = 0; j < ACROSS; ++j) {
            wmma::store_matrix_sync(&Cs[warp][0][0], acc[i][j], 16, wmma::mem_row_major);
            // Separates the store of this warp's Cs above from the reads of it, by other lanes, below.
            __syncwarp();
            #pragma unroll
            for (int e = lane; e < 256; e += 32) {
                const int row = block_row + warp_row + i * 16 + e / 16;
                const int col = block_col + warp_col + j * 16 + e % 16;
                if (row < M && col < N) {
                    C[(long long)row * N + col] = Cs[warp][e / 16][e % 16];
                }
            }
            // Separates the reads of Cs above from the store of the next fragment.
            __syncwarp();
        }
    }
}
