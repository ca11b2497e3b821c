package golden

import (
	"fmt"
	"image"
	"strings"
)

// mostLines is how many lines of a difference are printed, longestLine how much of each.
const (
	mostLines   = 24
	longestLine = 200
)

// lines is the difference of two texts by line, as diff prints it: lines of want with a minus, of got with a plus, each
// with its number. Equal lines at both ends are left out, and those between by the longest common subsequence:
//
//	c[i][j] = 1 + c[i+1][j+1]              where want[i] == got[j]
//	          max(c[i+1][j], c[i][j+1])    elsewhere
func lines(want, got string) string {
	if want == "" {
		return "there is no golden file"
	}
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	first := 0
	for first < min(len(w), len(g)) && w[first] == g[first] {
		first++
	}
	for len(w) > first && len(g) > first && w[len(w)-1] == g[len(g)-1] {
		w, g = w[:len(w)-1], g[:len(g)-1]
	}
	w, g = w[first:], g[first:]
	if len(w)*len(g) > 1<<24 { // too much for the table: the beginning says enough
		w, g = w[:min(len(w), 1<<12)], g[:min(len(g), 1<<12)]
	}
	c := make([][]int32, len(w)+1)
	for i := range c {
		c[i] = make([]int32, len(g)+1)
	}
	for i := len(w) - 1; i >= 0; i-- {
		for j := len(g) - 1; j >= 0; j-- {
			if c[i][j] = max(c[i+1][j], c[i][j+1]); w[i] == g[j] {
				c[i][j] = 1 + c[i+1][j+1]
			}
		}
	}
	var out []string
	add := func(sign string, number int, line string) {
		if r := []rune(line); len(r) > longestLine {
			line = string(r[:longestLine]) + " …"
		}
		out = append(out, fmt.Sprintf("%s%5d  %s", sign, number+1, line))
	}
	for i, j := 0, 0; i < len(w) || j < len(g); {
		switch {
		case i < len(w) && j < len(g) && w[i] == g[j]:
			i, j = i+1, j+1
		case j == len(g) || i < len(w) && c[i+1][j] >= c[i][j+1]:
			add("-", first+i, w[i])
			i++
		default:
			add("+", first+j, g[j])
			j++
		}
	}
	if n := len(out); n > mostLines {
		out = append(out[:mostLines:mostLines], fmt.Sprintf("… and %d lines more", n-mostLines))
	}
	return strings.Join(out, "\n")
}

// pixels is the difference of two pictures: how many pixels differ by more than tolerance in some channel, the box that
// they lie in and the largest difference; "" for none. In diff, of the size of got, each pixel is eight times as bright
// as it is off.
func pixels(want, got *image.RGBA, tolerance int) (text string, diff *image.Gray) {
	diff = image.NewGray(got.Rect)
	switch {
	case want == nil:
		return "there is no golden file", diff
	case want.Rect != got.Rect:
		return fmt.Sprintf("its size was %v and is %v", want.Rect.Size(), got.Rect.Size()), diff
	}
	count, worst, box := 0, 0, image.Rectangle{}
	for y := got.Rect.Min.Y; y < got.Rect.Max.Y; y++ {
		for x := got.Rect.Min.X; x < got.Rect.Max.X; x++ {
			at, off := got.PixOffset(x, y), 0
			for k, v := range got.Pix[at : at+4] {
				off = max(off, int(v)-int(want.Pix[at+k]), int(want.Pix[at+k])-int(v))
			}
			diff.Pix[diff.PixOffset(x, y)] = uint8(min(255, 8*off))
			if off > tolerance {
				count++
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
			worst = max(worst, off)
		}
	}
	if count == 0 {
		return "", diff
	}
	return fmt.Sprintf("%d of %d pixels differ, in the box %v, by up to %d of 255", count, len(diff.Pix), box, worst), diff
}
