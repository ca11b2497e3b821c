package film

import (
	"bufio"
	"compress/lzw"
	"context"
	"encoding/binary"
	"image"
	"io"
	"os"
)

// sampled is how many frames the colours are chosen from.
const sampled = 32

// clear is the entry that leaves a pixel as it was in the frame before.
const clear = 255

// writeGIF writes an animated GIF (version 89a) that repeats without end. Frames go to the file one by one: its length
// costs no memory.
func (f Film) writeGIF(ctx context.Context, out string, report func(done, total int64)) error {
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	err = f.EncodeGIF(ctx, w, report)
	if err == nil {
		err = w.Flush()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// EncodeGIF writes the film to w as a GIF. report, which may be nil, is called with frames, those that the colours
// are chosen from among them.
func (f Film) EncodeGIF(ctx context.Context, w io.Writer, report func(done, total int64)) error {
	n := min(sampled, f.Frames)
	seen := census{}
	pick := func(k int) int { return k * (f.Frames - 1) / max(1, n-1) }
	tell := func(done int) {
		if report != nil {
			report(int64(done), int64(n+f.Frames))
		}
	}
	if err := f.each(ctx, n, pick, func(k int, pixels *image.RGBA) error {
		seen.add(pixels)
		tell(k + 1)
		return nil
	}); err != nil {
		return err
	}
	wide, high := f.pixels()
	g := &gif{w: w, wide: wide, high: high, mix: newMixer(choose(seen, clear)), now: make([]uint8, wide*high),
		before: make([]uint8, wide*high)}
	g.head()
	if err := f.each(ctx, f.Frames, all, func(i int, pixels *image.RGBA) error {
		g.frame(i, pixels, delay(i, f.Rate))
		tell(n + i + 1)
		return g.err
	}); err != nil {
		return err
	}
	g.put([]byte{0x3b}) // the end
	return g.err
}

// delay is how long frame i is shown, in hundredths of a second; rounded so that the film as a whole keeps time.
func delay(i, rate int) int {
	end := func(i int) int { return (200*i + rate) / (2 * rate) }
	return end(i+1) - end(i)
}

// gif writes the parts of the file.
type gif struct {
	w           io.Writer
	err         error
	wide, high  int
	mix         *mixer
	now, before []uint8 // entries of the pixels
}

func (g *gif) put(b []byte) {
	if g.err == nil {
		_, g.err = g.w.Write(b)
	}
}

// head writes the screen, the palette of 256 colours and the extension that makes players repeat the film.
func (g *gif) head() {
	b := append([]byte("GIF89a"), 0, 0, 0, 0, 0xf7, 0, 0)
	binary.LittleEndian.PutUint16(b[6:], uint16(g.wide))
	binary.LittleEndian.PutUint16(b[8:], uint16(g.high))
	var table [256 * 3]byte
	for i, c := range g.mix.colors {
		table[3*i], table[3*i+1], table[3*i+2] = byte(c>>16), byte(c>>8), byte(c)
	}
	b = append(b, table[:]...)
	b = append(b, 0x21, 0xff, 11)
	b = append(b, "NETSCAPE2.0"...)
	g.put(append(b, 3, 1, 0, 0, 0))
}

// frame writes what is different from the frame before: the smallest rectangle around it, in which pixels that stay are
// clear.
func (g *gif) frame(i int, pixels *image.RGBA, hundredths int) {
	g.now, g.before = g.before, g.now
	g.mix.paint(pixels, g.now)
	area := image.Rect(0, 0, g.wide, g.high)
	if i > 0 {
		area = g.changed()
	}
	b := []byte{0x21, 0xf9, 4, 1<<2 | 1, 0, 0, clear, 0, 0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}
	binary.LittleEndian.PutUint16(b[4:], uint16(hundredths))
	for k, v := range []int{area.Min.X, area.Min.Y, area.Dx(), area.Dy()} {
		binary.LittleEndian.PutUint16(b[9+2*k:], uint16(v))
	}
	g.put(b)
	cut := &blocks{g: g}
	packer := lzw.NewWriter(cut, lzw.LSB, 8)
	line := make([]uint8, area.Dx())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		at := y*g.wide + area.Min.X
		copy(line, g.now[at:])
		if i > 0 {
			for x := range line {
				if line[x] == g.before[at+x] {
					line[x] = clear
				}
			}
		}
		if _, err := packer.Write(line); err != nil && g.err == nil {
			g.err = err
		}
	}
	if err := packer.Close(); err != nil && g.err == nil {
		g.err = err
	}
	cut.end()
}

// changed is the smallest rectangle around all pixels that are not as before, one pixel where there are none: a frame
// has to have something.
func (g *gif) changed() image.Rectangle {
	r := image.Rectangle{}
	for y := range g.high {
		a, b := g.now[y*g.wide:(y+1)*g.wide], g.before[y*g.wide:(y+1)*g.wide]
		low := 0
		for low < len(a) && a[low] == b[low] {
			low++
		}
		if low == len(a) {
			continue
		}
		high := len(a)
		for a[high-1] == b[high-1] {
			high--
		}
		r = r.Union(image.Rect(low, y, high, y+1))
	}
	if r.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return r
}

// blocks cuts the packed pixels into the blocks of at most 255 bytes that a GIF is made of.
type blocks struct {
	g    *gif
	n    int
	part [256]byte
}

func (b *blocks) Write(p []byte) (int, error) {
	for _, c := range p {
		if b.WriteByte(c) != nil {
			return 0, b.g.err
		}
	}
	return len(p), nil
}

// WriteByte makes compress/lzw write here: for a writer without it, that makes a buffer of its own, and does not flush
// it.
func (b *blocks) WriteByte(c byte) error {
	b.n++
	b.part[b.n] = c
	if b.n == 255 {
		b.Flush()
	}
	return b.g.err
}

// Flush writes the block that is not full.
func (b *blocks) Flush() error {
	if b.n > 0 {
		b.part[0] = byte(b.n)
		b.g.put(b.part[:b.n+1])
		b.n = 0
	}
	return b.g.err
}

// end writes the empty block that is the last.
func (b *blocks) end() {
	b.Flush()
	b.g.put([]byte{0})
}
