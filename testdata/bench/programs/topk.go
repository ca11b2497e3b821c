//go:build ignore

// Topk prints the least of the K largest of many numbers. Usage: topk K NUMBERS
package main

import (
	"container/heap"
	"fmt"
	"os"
	"strconv"
)

type least []uint32

func (h least) Len() int           { return len(h) }
func (h least) Less(i, j int) bool { return h[i] < h[j] }
func (h least) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *least) Push(x any)        { *h = append(*h, x.(uint32)) }
func (h *least) Pop() any          { panic("nothing is taken out") }

func main() {
	k, _ := strconv.Atoi(os.Args[1])
	numbers, _ := strconv.Atoi(os.Args[2])
	best := make(least, k)
	seed := uint32(1)
	for range numbers {
		seed = seed*1664525 + 1013904223
		if seed > best[0] {
			best[0] = seed
			heap.Fix(&best, 0)
		}
	}
	fmt.Println(best[0])
}
