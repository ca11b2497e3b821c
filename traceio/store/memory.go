package store

import "io"

// chunk is the unit in which memory grows; what is written never moves.
const chunk = 1 << 18

// memory is a file in memory that is only ever appended to. view gives the part written so far, which other goroutines
// may read while writing goes on: they touch other bytes.
type memory struct {
	chunks [][]byte
	size   int64
}

func (m *memory) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		at := int(m.size % chunk)
		if at == 0 {
			m.chunks = append(m.chunks, make([]byte, chunk))
		}
		k := copy(m.chunks[len(m.chunks)-1][at:], p)
		p = p[k:]
		m.size += int64(k)
	}
	return n, nil
}

func (m *memory) view() view { return view{m.chunks[:len(m.chunks):len(m.chunks)], m.size} }

// view is a prefix of a memory.
type view struct {
	chunks [][]byte
	size   int64
}

// ReadAt is io.ReaderAt.
func (v view) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) && at < v.size {
		c := v.chunks[at/chunk][at%chunk:]
		k := copy(p[n:], c[:min(int64(len(c)), v.size-at)])
		n += k
		at += int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
