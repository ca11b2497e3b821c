package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math/rand/v2"
	"slices"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// A recording whose bytes are changed blindly is stopped by its checksums, so that little of what is behind them is
// tried. Here two ways around them: the blocks of a good file, changed and sealed anew, and recordings that the writer
// itself makes of references, events and descriptions that no program has.

// The container as package orr documents it: a header of 32 bytes, then blocks of a header of 56 bytes and a payload.
const (
	fileHeader  = 32
	blockHeader = 56
	packedAt    = 44 // length of the payload
	payloadSum  = 48
	headerSum   = 52
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// chunks are the blocks of a recording, with their headers; nil for what is no chain of blocks.
func chunks(file []byte) (blocks [][]byte) {
	for at := fileHeader; at < len(file); {
		if len(file)-at < blockHeader || string(file[at:at+4]) != "ORBk" {
			return nil
		}
		end := at + blockHeader + int(binary.LittleEndian.Uint32(file[at+packedAt:]))
		if end > len(file) {
			return nil
		}
		blocks = append(blocks, slices.Clone(file[at:end]))
		at = end
	}
	return blocks
}

// seal makes the checksums of a block hold.
func seal(block []byte) {
	le := binary.LittleEndian
	le.PutUint32(block[payloadSum:], crc32.Checksum(block[blockHeader:], castagnoli))
	le.PutUint32(block[headerSum:], crc32.Checksum(block[:headerSum], castagnoli))
}

// resealed changes the blocks of a good recording and seals them. It is nil where file is not made of blocks.
func resealed(r *rand.Rand, file, other []byte) []byte {
	blocks, more := chunks(file), chunks(other)
	if blocks == nil {
		return nil
	}
	head := slices.Clone(file[:fileHeader])
	for n := 1 + few(r); n > 0 && len(blocks) > 0; n-- {
		i, k := r.IntN(len(blocks)), r.IntN(len(blocks))
		switch b := blocks[i]; r.IntN(12) {
		case 0:
			blocks = slices.Delete(blocks, i, i+1)
		case 1:
			blocks = slices.Insert(blocks, k, slices.Clone(b))
		case 2:
			blocks[i], blocks[k] = blocks[k], b
		case 3:
			if len(more) > 0 {
				blocks[i] = slices.Clone(more[r.IntN(len(more))])
			}
		case 4:
			b[4] = byte(r.IntN(8)) // another type
		case 5, 6: // a field of the header
			field := 8 + 4*r.IntN(9)
			binary.LittleEndian.PutUint32(b[field:], uint32(boundaries[r.IntN(len(boundaries))]))
		case 7: // the description
			if described := redescribe(r, b); described != nil {
				blocks[i] = described
			}
		default: // the payload
			payload, _ := mutate(r, b[blockHeader:], b[blockHeader:])
			if len(payload) < 1<<20 {
				blocks[i] = append(slices.Clone(b[:blockHeader]), payload...)
				if r.IntN(16) > 0 {
					binary.LittleEndian.PutUint32(blocks[i][packedAt:], uint32(len(payload)))
				}
			}
		}
	}
	if r.IntN(16) == 0 {
		head[8+r.IntN(20)] = byte(r.IntN(4))
	}
	binary.LittleEndian.PutUint32(head[28:], crc32.Checksum(head[:28], castagnoli))
	out := head
	for _, b := range blocks {
		seal(b)
		out = append(out, b...)
	}
	return out
}

// redescribe gives a block that holds another description of the program, nil where b holds none that is stored as it
// is.
func redescribe(r *rand.Rand, b []byte) []byte {
	if b[4] != 1 {
		return nil
	}
	text, err := json.Marshal(wildProgram(r))
	if err != nil {
		return nil
	}
	if r.IntN(2) == 0 {
		text, _ = mutate(r, text, text)
	}
	out := append(slices.Clone(b[:blockHeader]), 0) // a column that is stored as it is: method, length, stored length
	out = binary.AppendUvarint(out, uint64(len(text)))
	out = binary.AppendUvarint(out, uint64(len(text)))
	out = append(out, text...)
	binary.LittleEndian.PutUint32(out[40:], uint32(len(text)))
	binary.LittleEndian.PutUint32(out[packedAt:], uint32(len(out)-blockHeader))
	return out
}

// wild is a number that is small, at a boundary, or any.
func wild(r *rand.Rand) uint64 {
	switch r.IntN(4) {
	case 0:
		return boundaries[r.IntN(len(boundaries))]
	case 1:
		return r.Uint64()
	}
	return r.Uint64N(64)
}

var wildNames = []string{
	"main", "", "a.c", "std::vector<int>", "/proc/self/mem", "x\x1b[31m", "\u202eno", "A[3].b",
	"<script>", `"`, "né", "\x00",
	"a,b", "%d",
}

// wildName is a name that a linker would not refuse.
func wildName(r *rand.Rand) string {
	return wildNames[r.IntN(len(wildNames))]
}

// several gives up to most values.
func several[T any](r *rand.Rand, most int, one func() T) (list []T) {
	for range r.IntN(most + 1) {
		list = append(list, one())
	}
	return list
}

// wildProgram is a description whose parts do not fit each other.
func wildProgram(r *rand.Rand) *traceio.Program {
	addr := func() traceio.Addr { return traceio.Addr(wild(r)) }
	name := func() string { return wildName(r) }
	index := func() int {
		if r.IntN(4) == 0 {
			return int(wild(r))
		}
		return r.IntN(6) - 1
	}
	global := func() traceio.Global {
		return traceio.Global{Name: name(), Addr: addr(), Size: wild(r), Type: index(), Module: index()}
	}
	p := &traceio.Program{
		Command: several(
			r,
			3,
			name,
		), Recorder: []string{"", "qemu", "hooks", "lackey", "heap"}[r.IntN(5)], Ticking: r.IntN(2) == 0,
		Notes: several(r, 2, name), Limits: several(r, 2, name),
		Modules: several(r, 3, func() traceio.Module {
			return traceio.Module{Path: name(), BuildID: name(), Bias: addr(), Low: addr(), High: addr(), Main: r.IntN(2) == 0}
		}),
		Sites: several(r, 40, func() traceio.Site {
			frames := several(r, 3, func() traceio.Frame {
				return traceio.Frame{Function: name(), File: name(), Line: int(wild(r))}
			})
			return traceio.Site{
				PC:     addr(),
				Module: index(),
				Frames: frames,
				Flow:   traceio.Flow(r.IntN(8)),
				Target: addr(),
				Place:  int64(wild(r)),
			}
		}),
		Globals: several(r, 8, global), ThreadLocals: several(r, 4, global),
		Types: several(r, 6, func() traceio.Type {
			return traceio.Type{
				Name: name(),
				Size: wild(r),
				Dims: several(r, 3, index),
				Elem: index(),
				Fields: several(r, 3, func() traceio.Field {
					return traceio.Field{Name: name(), Offset: wild(r), Type: index()}
				}),
			}
		}),
		Sources: several(r, 2, func() traceio.SourceText {
			return traceio.SourceText{Path: name(), Text: "int main;\n\x1b[2J\n"}
		}),
		Stacks:    several(r, 5, func() []traceio.Addr { return several(r, 5, addr) }),
		Processes: several(r, 2, func() (p traceio.Process) { return p }),
		Lost:      several(r, 2, func() traceio.Loss { return traceio.Loss{Kind: name(), Count: wild(r)} }),
		Functions: several(r, 4, func() traceio.Function {
			return traceio.Function{
				Name:   name(),
				Low:    addr(),
				High:   addr(),
				Module: index(),
				Entry:  addr(),
				Locals: several(r, 4, func() traceio.Local {
					return traceio.Local{Name: name(), Offset: int64(wild(r)), Size: wild(r), Type: index(), Low: addr(), High: addr()}
				}),
			}
		}),
	}
	if r.IntN(8) == 0 {
		p.KeepLast = wild(r)
	}
	return p
}

// written is a recording of references and events that no program makes, as the writer writes it.
func written(r *rand.Rand) []byte {
	var out bytes.Buffer
	w, err := orr.Create(&out, wildProgram(r))
	if err != nil {
		return nil
	}
	pcs := several(r, 30, func() traceio.Addr { return traceio.Addr(wild(r)) })
	pcs = append(pcs, 0x401000)
	base := traceio.Addr(wild(r))
	for range 1 + r.IntN(3) {
		b := &traceio.Block{First: w.Len(), Start: traceio.Ticks(wild(r)), End: traceio.Ticks(wild(r))}
		for range r.IntN(1 << r.IntN(10)) {
			a := traceio.Access{
				Addr: base + traceio.Addr(r.IntN(4096)),
				PC:   pcs[r.IntN(len(pcs))],
				Size: 1 << r.IntN(4),
				Kind: traceio.Kind(r.IntN(3)),
			}
			if r.IntN(8) == 0 {
				a.Addr, a.Size, a.Thread = traceio.Addr(wild(r)), uint16(wild(r)), traceio.Thread(wild(r))
			}
			b.Append(a)
		}
		seq := b.First
		for range r.IntN(20) {
			seq += traceio.Seq(r.IntN(1 + int(b.First) + b.Data() - int(seq)))
			e := traceio.Alloc{
				Seq:    seq,
				Ticks:  traceio.Ticks(wild(r)),
				Addr:   base + traceio.Addr(16*r.IntN(8)),
				Size:   wild(r),
				Usable: wild(r),
				Stack: traceio.StackID(
					wild(r),
				),
				Thread:  traceio.Thread(r.IntN(3)),
				Op:      traceio.AllocOp(r.IntN(2)),
				Latency: traceio.Ticks(wild(r)),
			}
			if r.IntN(4) == 0 {
				e.Addr = traceio.Addr(wild(r))
			}
			b.Allocs = append(b.Allocs, e)
		}
		for range r.IntN(6) {
			b.Marks = append(b.Marks, traceio.Mark{Seq: b.First + traceio.Seq(r.IntN(1+b.Data())), Ticks: traceio.Ticks(wild(r)),
				Thread: traceio.Thread(wild(r)), Kind: traceio.MarkKind(r.IntN(6)), Value: wild(r), Text: wildName(r)})
		}
		slices.SortStableFunc(b.Marks, func(a, b traceio.Mark) int { return int(int64(a.Seq) - int64(b.Seq)) })
		if err := w.WriteBlock(b); err != nil {
			return nil
		}
	}
	if r.IntN(8) > 0 {
		if err := w.Close(wildProgram(r)); err != nil {
			return nil
		}
	}
	return out.Bytes()
}
