package palette

import "testing"

// Bad is darker than good at every step, whoever looks.
func TestObjectivesGetDarker(t *testing.T) {
	const n = 50
	for o := range objectives {
		for name, m := range vision {
			for i := range n {
				a, b := seen(m, Objective(o, float64(i)/n)), seen(m, Objective(o, float64(i+1)/n))
				if b[0] >= a[0] {
					t.Errorf("%s vision: step %d of objective %d does not get darker", name, i, o)
				}
			}
			if d := seen(m, Objective(o, 0))[0] - seen(m, Objective(o, 1))[0]; d < 0.33 {
				t.Errorf("%s vision: objective %d spans %.2f of lightness", name, o, d)
			}
		}
	}
	if Objective(-3, 2) != Objective(0, 1) || Objective(len(objectives), 0.5) != Objective(0, 0.5) {
		t.Error("objectives out of range have no colour of their own")
	}
}
