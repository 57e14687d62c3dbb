// The result first, then widths only; a launcher and main in the same file.
#include <iostream>
#include <vector>
#include <helper_cuda.h>
using namespace std;

template <int BLOCK_SIZE> __global__ void width_product(float *C, float *A, float *B, int wA, int wB) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * BLOCK_SIZE * by;
  int aEnd = aBegin + wA - 1;
  int bBegin = BLOCK_SIZE * bx;
  float Csub = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += BLOCK_SIZE, b += BLOCK_SIZE * wB) {
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) Csub += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[wB * BLOCK_SIZE * by + BLOCK_SIZE * bx + wB * ty + tx] = Csub;
}

void fill(float *data, int size, float value) {
  for (int i = 0; i < size; ++i) data[i] = value;
}

int multiply(int argc, char **argv, int block_size, const dim3 &dimsA, const dim3 &dimsB) {
  float *h_A;
  checkCudaErrors(cudaMallocHost(&h_A, dimsA.x * dimsA.y * sizeof(float)));
  fill(h_A, dimsA.x * dimsA.y, 1.0f);
  dim3 threads(block_size, block_size), grid(dimsB.x / threads.x, dimsA.y / threads.y);
  if (block_size == 16) width_product<16><<<grid, threads>>>(h_A, h_A, h_A, dimsA.x, dimsB.x);
  else width_product<32><<<grid, threads>>>(h_A, h_A, h_A, dimsA.x, dimsB.x);
  return 0;
}

int main(int argc, char **argv) {
  vector<int> sizes = {320, 640};
  cout << "computing " << sizes.size() << endl;
  return multiply(argc, argv, 16, dim3(320, 320), dim3(640, 320));
}
