package store

import (
	"io"
	"os"
)

// chunk is the unit in which memory grows; what is written never moves.
const chunk = 1 << 18

// spillFrom is how much is held in memory. What comes after it goes to a temporary file without a name.
const spillFrom = 256 << 20

// memory is an append-only file: in memory at first, on the disk from spillFrom on, and in memory again if the disk is
// full. view is the part written so far, which other goroutines can read while more is written.
//
//	| head, in chunks ... | file ... | tail, in chunks ... |
//	0                  spilled    refused                size
type memory struct {
	head, tail [][]byte
	file       *os.File // what lies between; closed by whoever collects the garbage
	spilled    int64    // where the file begins; 0 while everything is in head
	refused    int64    // where it ends for good; 0 while it takes more
	size       int64
	limit      int64 // of head; 0 is spillFrom
}

func (m *memory) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		limit := m.limit
		if limit == 0 {
			limit = spillFrom
		}
		if m.spilled == 0 && m.size >= limit {
			m.spilled = m.size
			m.file = unnamed()
		}
		if m.spilled > 0 && m.refused == 0 {
			if m.file != nil {
				if _, err := m.file.WriteAt(p, m.size-m.spilled); err == nil {
					m.size += int64(len(p))
					return n, nil
				}
			}
			m.refused = m.size
		}
		k := 0
		if m.refused > 0 {
			m.tail, k = appendChunk(m.tail, m.size-m.refused, p, chunk)
		} else {
			m.head, k = appendChunk(m.head, m.size, p, min(chunk, limit-m.size/chunk*chunk))
		}
		p = p[k:]
		m.size += int64(k)
	}
	return n, nil
}

// appendChunk writes as much of p as fits in the last chunk, up to room bytes of it, and gives how much that was. at is
// where the chunks' contents end.
func appendChunk(chunks [][]byte, at int64, p []byte, room int64) ([][]byte, int) {
	at %= chunk
	if at == 0 {
		chunks = append(chunks, make([]byte, chunk))
	}
	return chunks, copy(chunks[len(chunks)-1][at:room], p)
}

// unnamed is a temporary file without a name, nil when it cannot be created.
func unnamed() *os.File {
	f, err := os.CreateTemp("", "orrery-*.orr")
	if err != nil {
		return nil
	}
	os.Remove(f.Name())
	return f
}

func (m *memory) view() view {
	v := view(*m)
	v.head, v.tail = m.head[:len(m.head):len(m.head)], m.tail[:len(m.tail):len(m.tail)]
	return v
}

// view is a prefix of a memory.
type view memory

// ReadAt is io.ReaderAt.
func (v view) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) && at < v.size {
		var k int
		switch want := p[n:min(int64(len(p)), int64(n)+v.size-at)]; {
		case v.refused > 0 && at >= v.refused:
			k = readChunk(v.tail, at-v.refused, want)
		case v.spilled > 0 && at >= v.spilled:
			if v.refused > 0 {
				want = want[:min(int64(len(want)), v.refused-at)]
			}
			got, err := v.file.ReadAt(want, at-v.spilled)
			if got < len(want) {
				return n + got, err
			}
			k = got
		default:
			if v.spilled > 0 {
				want = want[:min(int64(len(want)), v.spilled-at)]
			}
			k = readChunk(v.head, at, want)
		}
		n += k
		at += int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func readChunk(chunks [][]byte, at int64, p []byte) int { return copy(p, chunks[at/chunk][at%chunk:]) }
