package bgv

import (
	"strconv"
	"strings"

	"orrery/traceio/irgraph"
)

// The kinds of properties.
const (
	ofPool = iota
	ofInt
	ofLong
	ofDouble
	ofFloat
	ofTrue
	ofFalse
	ofArray
	ofGraph
)

// properties reads a list of properties. A source position also gives bci, file and line.
func (r *reader) properties() irgraph.Properties {
	n := r.short()
	if r.major > 7 && n == 0xffff {
		n = r.int()
	}
	var p irgraph.Properties
	for ; n > 0 && r.err == nil; n-- {
		key := r.string()
		kind := r.byte()
		if kind == ofPool {
			o := r.object()
			if o == nil {
				p = r.put(p, key, "null")
				continue
			}
			p = r.put(p, key, o.text)
			if at := o.position; at != nil {
				p = r.put(p, "bci", strconv.Itoa(at.bci))
				if at.file != "" && at.line > 0 {
					p = r.put(p, irgraph.KeyFile, at.file)
					p = r.put(p, irgraph.KeyLine, strconv.Itoa(at.line))
				}
			}
			continue
		}
		p = r.put(p, key, r.propertyOf(kind))
	}
	return p
}

// maxProperties bounds the properties of one thing.
const maxProperties = 1000

func (r *reader) put(p irgraph.Properties, key, value string) irgraph.Properties {
	if r.err != nil || len(p) >= maxProperties {
		return p
	}
	for i := range p {
		if p[i].Key == key {
			p[i].Value = value
			return p
		}
	}
	r.hold(irgraph.CostProperty)
	return append(p, irgraph.Property{Key: r.pooled(key), Value: r.pooled(value)})
}

// property reads one value as text.
func (r *reader) property() string { return r.propertyOf(r.byte()) }

func (r *reader) propertyOf(kind int) string {
	switch kind {
	case ofPool:
		return r.string()
	case ofInt:
		return strconv.Itoa(r.int())
	case ofLong:
		return strconv.FormatInt(r.long(), 10)
	case ofDouble:
		return strconv.FormatFloat(r.double(), 'g', -1, 64)
	case ofFloat:
		return strconv.FormatFloat(r.float(), 'g', -1, 32)
	case ofTrue:
		return "true"
	case ofFalse:
		return "false"
	case ofArray:
		return r.array()
	case ofGraph:
		if r.nested++; r.nested > maxNested {
			r.fail("more than %d graphs stand in each other", maxNested)
		}
		s := r.contents("nested")
		r.nested--
		return strconv.Itoa(len(s.Nodes)) + " nodes"
	}
	r.fail("%d is no kind of property", kind)
	return ""
}

// maxShown is how much of an array a property tells.
const maxShown = 1 << 16

func (r *reader) array() string {
	kind := r.byte()
	var b strings.Builder
	b.WriteByte('[')
	for n := r.int(); n > 0 && r.err == nil; n-- {
		value := ""
		switch kind {
		case ofInt:
			value = strconv.Itoa(r.int())
		case ofDouble:
			value = strconv.FormatFloat(r.double(), 'g', -1, 64)
		case ofPool:
			value = r.string()
		default:
			r.fail("%d is no kind of array", kind)
		}
		if b.Len() < maxShown {
			if b.Len() > 1 {
				b.WriteString(", ")
			}
			b.WriteString(value)
		}
	}
	b.WriteByte(']')
	return b.String()
}
