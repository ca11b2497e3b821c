//go:build ignore

// Digest prints how often each hexadecimal digit ends a number on standard input, folded into one number.
// Usage: digest NUMBERS ROUNDS
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
)

// count adds the digits of numbers to digit, piece by piece, and stops after n.
func count(from io.Reader, n int, digit *[16]uint64) error {
	piece := make([]byte, 16<<10)
	for n > 0 {
		part := piece[:min(len(piece), 4*n)]
		if _, err := io.ReadFull(from, part); err != nil {
			return err
		}
		for i := 0; i < len(part); i += 4 {
			digit[binary.LittleEndian.Uint32(part[i:])%16]++
		}
		n -= len(part) / 4
	}
	return nil
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	rounds, _ := strconv.Atoi(os.Args[2])
	var digit [16]uint64
	for range rounds {
		os.Stdin.Seek(0, io.SeekStart)
		if err := count(os.Stdin, n, &digit); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	folded := uint64(0)
	for _, d := range digit {
		folded = folded*31 + d
	}
	fmt.Println(folded % 1000003)
}
