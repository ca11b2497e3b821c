/* C = A B for matrices of 16 x 16 numbers, three ways.
 * usage: matmul standard | transposed | blocked */
#include <stdio.h>
#include <string.h>

enum { N = 16, BLOCK = 4 };

static double A[N][N], B[N][N], C[N][N];

static void multiply(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += A[i][k] * B[k][j];
            C[i][j] = sum;
        }
    }
}

/* B holds its transpose here, so that the inner loop walks along rows of both factors. */
static void multiply_transposed(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += A[i][k] * B[j][k];
            C[i][j] = sum;
        }
    }
}

/* A block of B stays in the cache while all rows of A pass by. */
static void multiply_blocked(void)
{
    for (int jj = 0; jj < N; jj += BLOCK) {
        for (int kk = 0; kk < N; kk += BLOCK) {
            for (int i = 0; i < N; i++) {
                for (int j = jj; j < jj + BLOCK; j++) {
                    double sum = 0;
                    for (int k = kk; k < kk + BLOCK; k++)
                        sum += A[i][k] * B[k][j];
                    C[i][j] += sum;
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    const char *how = argc == 2 ? argv[1] : "";
    int transposed = strcmp(how, "transposed") == 0;
    double trace = 0;

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            A[i][j] = i + j;
            B[transposed ? j : i][transposed ? i : j] = i - j;
        }
    }
    if (strcmp(how, "standard") == 0) {
        multiply();
    } else if (transposed) {
        multiply_transposed();
    } else if (strcmp(how, "blocked") == 0) {
        multiply_blocked();
    } else {
        fprintf(stderr, "usage: matmul standard | transposed | blocked\n");
        return 2;
    }
    for (int i = 0; i < N; i++)
        trace += C[i][i];
    printf("trace %g\n", trace);
    return 0;
}
