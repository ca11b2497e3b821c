package record

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
)

// compileGo builds a Go program, which is static and brings its own threads, stacks and signals.
func compileGo(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "program")
	cmd := exec.Command("go", "build", "-o", out, filepath.Join(dir, "main.go"))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	return out
}

// TestGo: a Go program with goroutines on many threads, stacks that grow and move, a garbage collector, preemption by
// signals and a child runs to its end, and every reference of its functions is there.
func TestGo(t *testing.T) {
	t.Parallel()
	program := compileGo(t, `
package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"sync"
)

var counters [4][16]int64

//go:noinline
func count(i int) { counters[i][0]++ }

//go:noinline
func deep(n int) int { // grows the stack far beyond its first kilobytes
	var frame [64]int
	if n > 0 {
		frame[n%64] = deep(n - 1)
	}
	return frame[n%64] + n
}

type node struct{ next *node; data [6]int }

func main() {
	var all sync.WaitGroup
	for i := range counters {
		all.Go(func() {
			var keep *node
			for n := range 500 {
				count(i)
				if keep = (&node{next: keep}); n%100 == 0 {
					keep = nil
				}
			}
			deep(600)
			runtime.GC()
		})
	}
	spin := true
	all.Go(func() { for n := 0; spin && n < 1e5; n++ {} }) // has to be preempted
	all.Wait()
	out, err := exec.Command("/bin/echo", "child").Output()
	fmt.Print(counters[3][0], " ", deep(10), " ", string(out), err)
}`)
	m := run(t, Options{Program: program, Only: []string{"main.count"}})
	if want := "500 55 child\n<nil>"; m.stdout != want || m.ExitCode != 0 {
		t.Fatalf("exit %d, the program wrote %q, want %q\n%s", m.ExitCode, m.stdout, want, m.stderr)
	}
	counters := m.spans("main.counters")
	if len(counters) != 1 {
		t.Fatalf("variables named main.counters: %v", counters)
	}
	var loads, stores int
	perThread := map[traceio.Thread]int{}
	m.each(t, func(a traceio.Access) {
		if inSpans(counters, a.Addr) {
			perThread[a.Thread]++
			if a.Kind == traceio.Load {
				loads++
			} else {
				stores++
			}
		}
	})
	if loads != 2000 || stores != 2000 {
		t.Errorf("%d loads and %d stores of the counters, want 2000 each", loads, stores)
	}
	whole := run(t, Options{Program: program})
	if whole.stdout != m.stdout || whole.Refs < 500_000 {
		t.Errorf("recorded whole it makes %d references and writes %q", whole.Refs, whole.stdout)
	}
	if len(whole.Others) != 2 || whole.Others[1].Program != "/bin/echo" { // the fork, and what it became
		t.Errorf("other images: %+v", whole.Others)
	}
}

// TestContainers: in a C++ program every element of a vector and every node of a map and a list is touched as often as
// the program says, under exceptions and with iostreams.
func TestContainers(t *testing.T) {
	t.Parallel()
	program := compile(t, "containers.cpp", `
#include <algorithm>
#include <iostream>
#include <list>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
static volatile long caught;
struct item { long key; std::string name; };
__attribute__((noinline)) static void fill(std::vector<item> &v) {
    for (long i = 0; i < 300; i++) v.push_back({i * 7919 % 300, "item number " + std::to_string(i)});
}
__attribute__((noinline)) static long risky(long n) { if (n % 3 == 0) throw std::runtime_error("three"); return n; }
int main()
{
    std::vector<item> v;
    fill(v);
    std::sort(v.begin(), v.end(), [](const item &a, const item &b) { return a.key < b.key; });
    std::map<std::string, long> m;
    std::unordered_map<long, std::list<long>> u;
    for (auto &i : v) { m[i.name] = i.key; u[i.key % 17].push_back(i.key); }
    long sum = 0;
    for (long i = 0; i < 60; i++)
        try { sum += risky(i); } catch (const std::exception &) { caught = caught + 1; }
    std::thread t([&] { for (auto &p : m) sum += p.second; });
    t.join();
    std::ostringstream out;
    for (auto &p : u) for (long k : p.second) sum += k;
    out << sum << ' ' << caught << ' ' << m.size();
    std::cout << out.str() << std::endl;
    return 0;
}`)
	m := run(t, Options{Program: program, Only: []string{"program"}})
	if want := "90900 20 300\n"; m.stdout != want {
		native, _ := exec.Command(program).Output()
		t.Fatalf("the program wrote %q, natively %q", m.stdout, native)
	}
	caught, n := m.global(t, "caught").Addr, 0
	m.each(t, func(a traceio.Access) {
		if a.Addr == caught {
			n++
		}
	})
	if n != 41 { // twenty loads and stores, and the load that is written out
		t.Errorf("%d references to the count of exceptions, want 41", n)
	}
	live := map[traceio.Addr]uint64{}
	for _, a := range m.rec.Allocs() {
		if a.Op == traceio.Malloc {
			live[a.Addr] = a.Size
		} else if _, ok := live[a.Addr]; !ok {
			t.Fatalf("free of %v, which does not live", a.Addr)
		} else {
			delete(live, a.Addr)
		}
	}
	names := fmt.Sprint(m.functions())
	if !strings.Contains(names, "std::vector") && !strings.Contains(names, "push_back") {
		t.Errorf("no function of a container has a name: %.300s", names)
	}
}
