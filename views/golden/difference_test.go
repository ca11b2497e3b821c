package golden

import (
	"image"
	"testing"
)

func TestDifferenceOfTexts(t *testing.T) {
	for _, c := range []struct{ name, want, got, text string }{
		{"a line changed", "<svg>\n<a/>\n<b/>\n</svg>", "<svg>\n<a/>\n<c/>\n</svg>", "-    3  <b/>\n+    3  <c/>"},
		{"a line more", "a\nb\nc", "a\nx\nb\nc", "+    2  x"},
		{"a line less", "a\nb\nc", "a\nc", "-    2  b"},
		{"two places", "a\nb\nc\nd\ne", "a\nx\nc\nd", "-    2  b\n+    2  x\n-    5  e"},
		{"nothing kept", "", "a", "there is no golden file"},
	} {
		if got := lines(c.want, c.got); got != c.text {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.text)
		}
	}
}

func TestDifferenceOfPictures(t *testing.T) {
	want, got := image.NewRGBA(image.Rect(0, 0, 10, 6)), image.NewRGBA(image.Rect(0, 0, 10, 6))
	if text, _ := pixels(want, got, 0); text != "" {
		t.Errorf("equal pictures differ: %s", text)
	}
	got.Pix[got.PixOffset(2, 3)+1] = 9   // green
	got.Pix[got.PixOffset(7, 4)+3] = 200 // alpha
	got.Pix[got.PixOffset(9, 5)] = 2     // within the tolerance
	text, diff := pixels(want, got, 2)
	if text != "2 of 60 pixels differ, in the box (2,3)-(8,5), by up to 200 of 255" || diff.GrayAt(2, 3).Y != 72 {
		t.Errorf("got %q, %v", text, diff.GrayAt(2, 3))
	}
	if text, _ := pixels(nil, got, 2); text != "there is no golden file" {
		t.Errorf("without a golden file it says %q", text)
	}
	if text, _ := pixels(image.NewRGBA(image.Rect(0, 0, 3, 3)), got, 2); text != "its size was (3,3) and is (10,6)" {
		t.Errorf("of another size it says %q", text)
	}
}
