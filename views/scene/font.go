package scene

import (
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"orrery/assets"
)

// Placed is one glyph of a line of text. X is the distance of its origin from the beginning of the line in the text's
// own unit. Font is the typeface that has the glyph, which is not the asked-for one where that lacks the character.
type Placed struct {
	Rune  rune
	Font  Face
	Index uint16 // glyph number in Font
	X     float64
}

// Glyphs lays a line of text out: linear (unhinted) advances and kerning, so that a line has the same proportions at
// every size and scale. Control characters become spaces. It returns the glyphs and the width of the line.
func Glyphs(face Face, size float64, s string) ([]Placed, float64) {
	out := make([]Placed, 0, len(s))
	w := walk(face, size, s, func(p Placed) { out = append(out, p) })
	return out, w
}

// Measure is the width of a line of text at the given size (pixels per em), in the same unit as size. It agrees with
// what package raster draws.
func Measure(face Face, size float64, s string) float64 { return walk(face, size, s, nil) }

// Has reports whether the typefaces that ship have every character of a line that is written in one of them. One that
// they lack is drawn as an empty box.
func Has(face Face, s string) bool {
	for _, r := range s {
		if !unicode.IsControl(r) && find(face, r).index == 0 {
			return false
		}
	}
	return true
}

func walk(face Face, size float64, s string, place func(Placed)) float64 {
	x, before := 0.0, glyph{}
	for _, r := range s {
		if unicode.IsControl(r) {
			r = ' '
		}
		g := find(face, r)
		if before.font == g.font {
			x += kern(g.font, before.index, g.index) * size
		}
		if place != nil {
			place(Placed{Rune: r, Font: g.font, Index: uint16(g.index), X: x})
		}
		x += g.advance * size
		before = g
	}
	return x
}

// Ellipsis is s, cut so that it is at most max wide with a "…" at its end; max <= 0 means no limit. Where even the
// ellipsis is too wide it is "".
func Ellipsis(face Face, size float64, s string, max float64) string {
	if max <= 0 || Measure(face, size, s) <= max {
		return s
	}
	runes := []rune(s)
	low, high := 0, len(runes) // the longest prefix that fits lies in [low, high)
	fits := func(n int) bool { return Measure(face, size, string(runes[:n])+"…") <= max }
	if !fits(0) {
		return ""
	}
	for low+1 < high {
		if mid := (low + high) / 2; fits(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	for low > 0 && runes[low-1] == ' ' {
		low--
	}
	return string(runes[:low]) + "…"
}

// LineHeight is the distance between baselines that a paragraph of the typeface needs.
func LineHeight(face Face, size float64) float64 {
	f := faceOf(face)
	return max(1.2, f.ascent+f.descent) * size
}

// Middle is the distance from the middle of a capital letter down to the baseline: a text whose At.Y is y+Middle looks
// centred on y.
func Middle(face Face, size float64) float64 { return faceOf(face).capital / 2 * size }

// Outline is the shape of a glyph at 1 unit per em, origin on the baseline, y downward. The path is shared: do not
// change it.
func Outline(p Placed) Path {
	f := faceOf(p.Font)
	f.mu.Lock()
	defer f.mu.Unlock()
	if o, ok := f.outlines[sfnt.GlyphIndex(p.Index)]; ok {
		return o
	}
	o := f.load(sfnt.GlyphIndex(p.Index))
	f.outlines[sfnt.GlyphIndex(p.Index)] = o
	return o
}

// faces is the number of typefaces.
const faces = 3

var files = [faces]string{Sans: "fonts/Inter-Regular.otf", Bold: "fonts/Inter-SemiBold.otf",
	Mono: "fonts/JetBrainsMono-Regular.ttf"}

// typeface is one parsed font with what was looked up in it, all per em. Everything in it is a pure function of the
// font file: the maps only spare repeated look-ups, the lock makes them safe.
type typeface struct {
	font                     *sfnt.Font
	unit                     fixed.Int26_6 // the size at which font units are pixels
	ascent, descent, capital float64

	mu       sync.Mutex
	buf      sfnt.Buffer
	glyphs   map[rune]glyph
	kerns    map[[2]sfnt.GlyphIndex]float64
	outlines map[sfnt.GlyphIndex]Path
}

type glyph struct {
	font    Face
	index   sfnt.GlyphIndex
	advance float64
}

var parsed = [faces]func() *typeface{
	Sans: sync.OnceValue(func() *typeface { return parse(Sans) }),
	Bold: sync.OnceValue(func() *typeface { return parse(Bold) }),
	Mono: sync.OnceValue(func() *typeface { return parse(Mono) }),
}

func faceOf(f Face) *typeface {
	if f >= faces {
		f = Sans
	}
	return parsed[f]()
}

// parse panics on a broken font: the files are part of the binary.
func parse(f Face) *typeface {
	data, err := assets.Fonts.ReadFile(files[f])
	if err != nil {
		panic(err)
	}
	parsed, err := opentype.Parse(data)
	if err != nil {
		panic(err)
	}
	t := &typeface{font: parsed, unit: fixed.I(int(parsed.UnitsPerEm())), glyphs: map[rune]glyph{},
		kerns: map[[2]sfnt.GlyphIndex]float64{}, outlines: map[sfnt.GlyphIndex]Path{}}
	m, err := parsed.Metrics(&t.buf, t.unit, font.HintingNone)
	if err != nil {
		panic(err)
	}
	t.ascent, t.descent, t.capital = t.em(m.Ascent), t.em(m.Descent), t.em(m.CapHeight)
	return t
}

func (t *typeface) em(v fixed.Int26_6) float64 { return float64(v) / float64(t.unit) }

// find is the glyph of a character: from the face, else from another that has it, else the face's own "missing" box.
func find(face Face, r rune) glyph {
	t := faceOf(face)
	t.mu.Lock()
	g, ok := t.glyphs[r]
	t.mu.Unlock()
	if ok {
		return g
	}
	g = glyph{font: face}
	for _, f := range []Face{face, Sans, Mono} {
		if index, advance := faceOf(f).look(r); index != 0 || f == face {
			g = glyph{f, index, advance}
			if index != 0 {
				break
			}
		}
	}
	t.mu.Lock()
	t.glyphs[r] = g
	t.mu.Unlock()
	return g
}

func (t *typeface) look(r rune) (sfnt.GlyphIndex, float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	index, err := t.font.GlyphIndex(&t.buf, r)
	if err != nil {
		index = 0
	}
	advance, err := t.font.GlyphAdvance(&t.buf, index, t.unit, font.HintingNone)
	if err != nil {
		return 0, 0.6
	}
	return index, t.em(advance)
}

// kern is the correction between two glyphs of one font, per em. The monospaced face has none by definition.
func kern(f Face, a, b sfnt.GlyphIndex) float64 {
	if f == Mono || a == 0 || b == 0 {
		return 0
	}
	t := faceOf(f)
	t.mu.Lock()
	defer t.mu.Unlock()
	key := [2]sfnt.GlyphIndex{a, b}
	k, ok := t.kerns[key]
	if !ok {
		if v, err := t.font.Kern(&t.buf, a, b, t.unit, font.HintingNone); err == nil {
			k = t.em(v)
		}
		t.kerns[key] = k
	}
	return k
}

// load reads a glyph's outline; quadratic curves become the equal cubic ones.
func (t *typeface) load(index sfnt.GlyphIndex) Path {
	var p Path
	segments, err := t.font.LoadGlyph(&t.buf, index, t.unit, nil)
	if err != nil {
		return p
	}
	var at Point
	open := false
	for _, s := range segments {
		a := [3]Point{}
		for i, q := range s.Args {
			a[i] = Point{t.em(q.X), t.em(q.Y)}
		}
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if open {
				p.Close()
			}
			p.Move(a[0].X, a[0].Y)
			at, open = a[0], true
		case sfnt.SegmentOpLineTo:
			p.Line(a[0].X, a[0].Y)
			at = a[0]
		case sfnt.SegmentOpQuadTo:
			p.Cubic(at.X+(a[0].X-at.X)*2/3, at.Y+(a[0].Y-at.Y)*2/3, a[1].X+(a[0].X-a[1].X)*2/3,
				a[1].Y+(a[0].Y-a[1].Y)*2/3, a[1].X, a[1].Y)
			at = a[1]
		case sfnt.SegmentOpCubeTo:
			p.Cubic(a[0].X, a[0].Y, a[1].X, a[1].Y, a[2].X, a[2].Y)
			at = a[2]
		}
	}
	if open {
		p.Close()
	}
	return p
}
