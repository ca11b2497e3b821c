package orr

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"orrery/traceio"
)

// Amend changes the description of the program in a closed recording, for facts that became known after its end. It
// appends the new description and a copy of the index, so the recording stays readable when this is interrupted.
//
//	| META | block | block | META | PCS | IDX | END |
//	                                                | META | PCS | IDX | END |
func Amend(path string, change func(*traceio.Program)) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	f, err := Open(file, size, path)
	if err != nil {
		return err
	}
	end, err := f.payload(size-endLen, typeEnd, nil)
	if err != nil || len(end) != endLen-blockLen || len(f.loss) > 0 {
		return fmt.Errorf("%s has no end that could be changed", path)
	}
	pcs, idx := int64(binary.LittleEndian.Uint64(end[8:])), int64(binary.LittleEndian.Uint64(end[16:]))
	index := make([]byte, size-endLen-pcs)
	if err := readFull(file, index, pcs); err != nil {
		return err
	}
	packer, err := NewPacker()
	if err != nil {
		return err
	}
	o := &Writer{w: io.NewOffsetWriter(file, size), at: size, packer: packer, next: f.Len()}
	change(f.prog)
	o.meta(f.prog)
	moved := o.at
	o.write(index)
	o.end([3]int64{size, moved, moved + idx - pcs})
	if o.err != nil {
		_ = file.Truncate(size)
	}
	return o.err
}
