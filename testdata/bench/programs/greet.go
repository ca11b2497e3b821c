//go:build ignore

// Greet greets. Usage: greet
package main

import "fmt"

func main() {
	fmt.Println("Hello, world!")
}
