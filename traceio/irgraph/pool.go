package irgraph

// Pool keeps one copy of each text: names and properties recur in every snapshot of a document.
type Pool map[string]string

// Text is the pooled copy of s.
func (p Pool) Text(s string) string {
	if t, ok := p[s]; ok {
		return t
	}
	p[s] = s
	return s
}
