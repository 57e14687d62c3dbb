"""A product of matrices in Triton: each program computes a tile of C, one step of K after the other."""

import triton
import triton.language as tl


@triton.jit
def matmul(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_a,
    stride_b,
    stride_c,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(1) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k0 in range(0, K, BLOCK_K):
        ks = k0 + tl.arange(0, BLOCK_K)
        a_mask = (rows[:, None] < M) & (ks[None, :] < K)
        b_mask = (ks[:, None] < K) & (columns[None, :] < N)
        a = tl.load(a_ptr + rows[:, None] * stride_a + ks[None, :], mask=a_mask, other=0.0)
        b = tl.load(b_ptr + ks[:, None] * stride_b + columns[None, :], mask=b_mask, other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    c_mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * stride_c + columns[None, :], acc, mask=c_mask)


if __name__ == "__main__":
    import torch

    x = torch.ones((64, 64), device="cuda")
    z = torch.empty_like(x)
    matmul[(2, 2)](x, x, z, 64, 64, 64, 64, 64, 64, BLOCK_M=32, BLOCK_N=32, BLOCK_K=16)
