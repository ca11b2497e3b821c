package export

import (
	"bufio"
	"strconv"
	"strings"

	"orrery/traceio"
)

// csvSink writes seq,thread,kind,address,size,pc: addresses hexadecimal with 0x, all else decimal. A fetch has the seq
// of the data reference behind it.
type csvSink struct {
	w   *bufio.Writer
	row []byte
}

func newCSV(w *bufio.Writer, _ Options) sink {
	w.WriteString("seq,thread,kind,address,size,pc\n")
	return &csvSink{w: w}
}

var kindWords = [...]string{traceio.Load: ",load,0x", traceio.Store: ",store,0x", traceio.Fetch: ",fetch,0x"}

func (s *csvSink) block(b *traceio.Block, _ *Report) error {
	seq := uint64(b.First)
	for i, k := range b.Kind {
		r := strconv.AppendUint(s.row[:0], seq, 10)
		r = append(r, ',')
		r = strconv.AppendUint(r, uint64(b.Thread[i]), 10)
		r = append(r, kindWords[k]...)
		r = strconv.AppendUint(r, uint64(b.Addr[i]), 16)
		r = append(r, ',')
		r = strconv.AppendUint(r, uint64(b.Size[i]), 10)
		r = append(r, ",0x"...)
		r = strconv.AppendUint(r, uint64(b.PC[i]), 16)
		s.row = append(r, '\n')
		if _, err := s.w.Write(s.row); err != nil {
			return err
		}
		if k != traceio.Fetch {
			seq++
		}
	}
	return nil
}

func (s *csvSink) end() error { return nil }

// eventCSV writes seq,ticks,thread,event,address,size,usable,stack,value,text.
type eventCSV struct {
	w   *bufio.Writer
	row []byte
}

func newEventCSV(w *bufio.Writer) eventSink {
	w.WriteString("seq,ticks,thread,event,address,size,usable,stack,value,text\n")
	return &eventCSV{w: w}
}

func (s *eventCSV) event(e *event) error {
	r := s.row[:0]
	for _, x := range []uint64{e.seq, e.ticks, uint64(e.thread)} {
		r = append(strconv.AppendUint(r, x, 10), ',')
	}
	r = append(r, e.what...)
	r = strconv.AppendUint(append(r, ",0x"...), e.address, 16)
	for _, x := range []uint64{e.size, e.usable, e.stack, e.value} {
		r = strconv.AppendUint(append(r, ','), x, 10)
	}
	r = append(r, ',')
	if strings.ContainsAny(e.text, ",\"\r\n") {
		r = append(r, '"')
		r = append(r, strings.ReplaceAll(e.text, `"`, `""`)...)
		r = append(r, '"')
	} else {
		r = append(r, e.text...)
	}
	s.row = append(r, '\n')
	_, err := s.w.Write(s.row)
	return err
}

func (s *eventCSV) end() error { return nil }
