package scene

import (
	"math"
	"strings"
	"sync"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"orrery/assets"
)

// The oracle asks the font library glyph by glyph at a size so large that its rounding to 1/64 px vanishes, without any
// of our caches. (opentype.Face.Kern is no oracle: it asks for kerning at a 64th of the size.)
func TestMeasureAgreesWithTheFontLibrary(t *testing.T) {
	for face, file := range files {
		data, err := assets.Fonts.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := sfnt.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		const size = 1000
		for _, s := range []string{"", "A", "window 10 · address · #1 of 5", "6.0 turns, 63 references a turn",
			"AVATAR To. P,", "naïve ∂θ"} {
			want := measureSlowly(t, f, size, s)
			if got := Measure(Face(face), size, s); math.Abs(got-want) > 0.5 {
				t.Errorf("%s %q: got %.2f, want %.2f", file, s, got, want)
			}
			if got := Measure(Face(face), 12, s) * size / 12; math.Abs(got-want) > 0.5 {
				t.Errorf("%s %q is not linear in size: got %.2f, want %.2f", file, s, got, want)
			}
		}
	}
}

func measureSlowly(t *testing.T, f *sfnt.Font, size int, s string) float64 {
	t.Helper()
	var buf sfnt.Buffer
	sum, before := 0.0, sfnt.GlyphIndex(0)
	for _, r := range s {
		g, err := f.GlyphIndex(&buf, r)
		if err != nil || g == 0 {
			t.Fatalf("%q has no glyph: %v", r, err)
		}
		a, err := f.GlyphAdvance(&buf, g, fixed.I(size), font.HintingNone)
		if err != nil {
			t.Fatal(err)
		}
		if before != 0 {
			if k, err := f.Kern(&buf, before, g, fixed.I(size), font.HintingNone); err == nil {
				a += k
			}
		}
		sum += float64(a) / 64
		before = g
	}
	return sum
}

func TestMonoAdvancesAreEqual(t *testing.T) {
	if a, b := Measure(Mono, 11, "iiii"), Measure(Mono, 11, "WWWW"); a != b {
		t.Errorf("monospaced face: %v and %v", a, b)
	}
}

func TestEllipsis(t *testing.T) {
	const s = "bubblesort-vector-shuffled.orr 840 references"
	if got := Ellipsis(Sans, 11, s, 0); got != s {
		t.Errorf("no limit: got %q", got)
	}
	full := Measure(Sans, 11, s)
	for w := 1.0; w < full+20; w += 3.7 {
		got := Ellipsis(Sans, 11, s, w)
		if Measure(Sans, 11, got) > w {
			t.Errorf("limit %.1f: %q is %.1f wide", w, got, Measure(Sans, 11, got))
		}
		// One more character would not have fitted.
		if cut := strings.TrimSuffix(got, "…"); got != s && got != "" {
			rest := s[len(cut):]
			longer := cut + rest[:1]
			for strings.HasSuffix(longer, " ") {
				longer = s[:len(longer)+1]
			}
			if Measure(Sans, 11, longer+"…") <= w {
				t.Errorf("limit %.1f: %q is shorter than needed, %q fits", w, got, longer+"…")
			}
		}
	}
}

func TestMissingCharactersComeFromAnotherFace(t *testing.T) {
	g, _ := Glyphs(Sans, 10, "▁")
	if g[0].Font != Mono || g[0].Index == 0 {
		t.Errorf("block element: got face %d glyph %d, want the monospaced face's", g[0].Font, g[0].Index)
	}
	if g, w := Glyphs(Sans, 10, "\U0010fffd"); g[0].Font != Sans || w <= 0 {
		t.Errorf("unknown character: got face %d width %v, want the box of the asked-for face", g[0].Font, w)
	}
}

func TestFontsAreSafeFromSeveralGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			g, _ := Glyphs(Face(i%faces), 11, "The same text, at once: αβγ")
			for _, p := range g {
				Outline(p)
			}
		}()
	}
	wg.Wait()
}

func BenchmarkMeasure(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Measure(Sans, 11, "window 10 · address · #1 of 5, persistence 7")
	}
}
