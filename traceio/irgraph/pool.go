package irgraph

// Pool keeps one copy of each text: names and properties come back in every snapshot of a document.
type Pool map[string]string

// Text is the pooled copy of s.
func (p Pool) Text(s string) string {
	if t, ok := p[s]; ok {
		return t
	}
	p[s] = s
	return s
}

// Bytes is the pooled text of b, which may be overwritten afterwards.
func (p Pool) Bytes(b []byte) string {
	if t, ok := p[string(b)]; ok {
		return t
	}
	s := string(b)
	p[s] = s
	return s
}
