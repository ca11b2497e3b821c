// Stacks sorts tables on the stacks of goroutines, and calls itself until its own stack has to grow.
//
//go:build ignore

package main

import "fmt"

const size = 40

//go:noinline
func largest(list []int) int {
	best := 0
	for _, x := range list {
		if x > best {
			best = x
		}
	}
	return best
}

//go:noinline
func sorted() int {
	var table [size]int
	for i := range table {
		table[i] = i * 7 % size
	}
	for i := range table {
		for j := range size - 1 - i {
			if table[j] > table[j+1] {
				table[j], table[j+1] = table[j+1], table[j]
			}
		}
	}
	return largest(table[:])
}

type pair struct{ key, weight int }

//go:noinline
func deep(n int) int {
	var pairs [4]pair
	for i := range pairs {
		pairs[i].key = n
		pairs[i].weight = i
	}
	sum := 0
	if n > 0 {
		sum = deep(n - 1)
	}
	for i := range pairs {
		sum += pairs[i].key * pairs[i].weight
	}
	return sum
}

func main() {
	done := make(chan int)
	for range 3 {
		go func() { done <- sorted() }()
	}
	total := 0
	for range 3 {
		total += <-done
	}
	fmt.Println(total, deep(200))
}
