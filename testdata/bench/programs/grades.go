//go:build ignore

// Grades prints the best sum of marks of any subject. Usage: grades PUPILS ROUNDS
package main

import (
	"fmt"
	"os"
	"strconv"
)

const subjects = 90

// read makes up the marks, pupil by pupil.
func read(pupils int) []int32 {
	marks := make([]int32, pupils*subjects)
	seed := uint32(1)
	for i := range marks {
		seed = seed*1664525 + 1013904223
		marks[i] = int32(seed >> 28)
	}
	return marks
}

func best(marks []int32, pupils int) int64 {
	most := int64(0)
	for s := range subjects {
		sum := int64(0)
		for p := range pupils {
			sum += int64(marks[p*subjects+s])
		}
		most = max(most, sum)
	}
	return most
}

func main() {
	pupils, _ := strconv.Atoi(os.Args[1])
	rounds, _ := strconv.Atoi(os.Args[2])
	marks := read(pupils)
	total := int64(0)
	for range rounds {
		total += best(marks, pupils)
	}
	fmt.Println(total)
}
