package record

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio/orr"
)

// TestGrows: while a program runs slowly its recording grows by whole blocks several times a second, and the file's
// lock tells a recording under way from one that is over.
func TestGrows(t *testing.T) {
	program := compile(t, "slowly.c", `
#include <stdio.h>
#include <unistd.h>
static volatile int counter;
int main(void)
{
    char line[10];
    while (read(0, line, 1) == 1) counter++;
    return 0;
}`)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	out := filepath.Join(t.TempDir(), "live.orr")
	done := make(chan error, 1)
	go func() {
		_, err := Run(context.Background(), Options{Program: program, Only: []string{"program"}, Output: out, Stdin: reader},
			nil)
		done <- err
	}()
	last := uint64(0)
	for step := range 4 {
		if _, err := writer.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			if n := lengthOf(out); n > last {
				last = n
				break
			}
			if time.Since(begun) > 2*time.Minute {
				t.Fatalf("at step %d the file holds %d references and does not grow", step, last)
			}
		}
		if free(t, out) {
			t.Error("the file's lock is free while it is written")
		}
	}
	writer.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !free(t, out) {
		t.Error("the file's lock is kept when it is closed")
	}
}

// lengthOf is what a reader finds in a file that may be growing; 0 when it is not there yet.
func lengthOf(path string) uint64 {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return length(data, path)
}

// holds tells whether at least n references can be read from the first 64 KiB of a file: one that grows is not read
// whole again and again.
func holds(path string, n uint64) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, 64<<10))
	return err == nil && length(data, path) >= n
}

func length(data []byte, path string) uint64 {
	f, err := orr.Open(bytes.NewReader(data), int64(len(data)), path)
	if err != nil {
		return 0
	}
	return uint64(f.Len())
}

// free tells whether nobody holds the lock of the file.
func free(t *testing.T, path string) bool {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == nil
}
