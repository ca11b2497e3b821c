// Gomatmul multiplies two matrices of 32 by 32 numbers by the schoolbook's three loops.
package main

import "fmt"

const size = 32

type matrix [size][size]float64

var left, right, product matrix

//go:noinline
func multiply(a, b, c *matrix) {
	for i := range size {
		for j := range size {
			sum := 0.0
			for k := range size {
				sum += a[i][k] * b[k][j]
			}
			c[i][j] = sum
		}
	}
}

func main() {
	for i := range size {
		for j := range size {
			left[i][j] = float64(i + j)
			right[i][j] = float64(i - j)
		}
	}
	multiply(&left, &right, &product)
	fmt.Println(product[3][5])
}
