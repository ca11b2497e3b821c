package bgv

import (
	"strconv"
	"strings"

	"orrery/traceio/irgraph"
)

// What stands in front of an object of the pool: a new one, none, or the kind of one that is there.
const (
	poolNew = iota
	poolString
	poolEnum
	poolClass
	poolMethod
	poolNull
	poolNodeClass
	poolField
	poolSignature
	poolPosition
	poolNode
)

// object is an entry of the pool; text is what it says as a property.
type object struct {
	text      string
	values    []string   // of an enumeration's class
	class     *nodeClass // of a class of nodes
	method    *method
	position  *position
	signature *signature
}

// size is how many bytes an object parses memory, about; texts that it shares with others count.
func (o *object) size() int {
	if o == nil {
		return 0
	}
	n := 2*irgraph.CostMember + len(o.text)
	for _, v := range o.values {
		n += irgraph.CostMember + len(v)
	}
	if c := o.class; c != nil {
		n += len(c.name) + len(c.template) + irgraph.CostMember*(1+len(c.inputs)+len(c.next))
		for _, p := range c.inputs {
			n += len(p.name) + len(p.kind)
		}
		for _, p := range c.next {
			n += len(p.name)
		}
	}
	if m := o.method; m != nil {
		n += irgraph.CostMember + len(m.class) + len(m.name) + len(m.signature) + len(m.code)
	}
	if p := o.position; p != nil {
		n += irgraph.CostMember + len(p.file)
	}
	if s := o.signature; s != nil {
		n += irgraph.CostMember + len(s.result)
		for _, a := range s.args {
			n += irgraph.CostMember + len(a)
		}
	}
	return n
}

type signature struct {
	args   []string
	result string
}

type method struct {
	class, name string
	signature   string
	code        []byte
}

// position is where a node stands in the source.
type position struct {
	bci  int
	file string
	line int
}

// nodeClass is what all nodes of a class have in common.
type nodeClass struct {
	name, template string
	inputs, next   []port
}

// port is one place for an input or a successor, or for a list of them.
type port struct {
	list       bool
	name, kind string
}

// maxNested bounds how deep objects of the pool stand in each other: a position has a caller, which has a caller.
const maxNested = 1000

// object reads an object of the pool; nil is none.
func (r *reader) object() *object {
	if r.nested++; r.nested > maxNested {
		r.fail("more than %d objects stand in each other", maxNested)
	}
	defer func() { r.nested-- }()
	if r.err != nil {
		return nil
	}
	switch kind := r.byte(); {
	case kind == poolNull || r.err != nil:
		return nil
	case kind == poolNew:
		return r.add()
	case kind > poolNode:
		r.fail("%d is no kind of object", kind)
		return nil
	}
	i := r.short()
	o, ok := r.pool[i]
	if !ok && r.err == nil {
		r.fail("object %d is named before it is there", i)
	}
	return o
}

// add reads a new object.
func (r *reader) add() *object {
	i := r.short()
	o := &object{}
	switch kind := r.byte(); kind {
	case poolString:
		o.text = r.pooled(r.text())
	case poolEnum:
		class, n := r.object(), r.int()
		o.text = strconv.Itoa(n)
		if class != nil && n >= 0 && n < len(class.values) {
			o.text = class.values[n]
		}
	case poolClass:
		r.class(o)
	case poolMethod:
		o.method = &method{class: r.string(), name: r.string()}
		if s := r.object(); s != nil && s.signature != nil {
			o.method.signature = "(" + strings.Join(s.signature.args, ", ") + ")"
		}
		r.int() // modifiers
		o.method.code = r.bytes()
		o.text = o.method.String()
	case poolNodeClass:
		r.nodeClass(o)
	case poolField:
		class, name := r.string(), r.string()
		o.text = class + "." + name
		r.object() // its type
		r.int()
	case poolSignature:
		o.signature = &signature{}
		for range r.short() {
			if r.hold(irgraph.CostMember); r.err == nil {
				o.signature.args = append(o.signature.args, cut(r.string(), maxWord))
			}
		}
		o.signature.result = r.string()
		o.text = strings.Join(o.signature.args, ", ") + " -> " + o.signature.result
	case poolPosition:
		r.position(o)
	case poolNode:
		id := r.int()
		o.text = strconv.Itoa(id)
		if class := r.object(); class != nil {
			o.text += " " + class.text
		}
	default:
		r.fail("%d is no kind of object", kind)
	}
	o.text = cut(o.text, maxShown)
	if r.err == nil {
		r.holdPool(o.size() - r.pool[i].size())
		r.pool[i] = o
	}
	return o
}

// cut bounds a text that is put together of others: each could be twice as long as those it is made of.
func cut(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}

// maxWord bounds one word of a text that has many.
const maxWord = 256

// String is "Class.name(arguments)".
func (m *method) String() string {
	return m.class[strings.LastIndexByte(m.class, '.')+1:] + "." + m.name + m.signature
}

func (r *reader) class(o *object) {
	o.text = r.pooled(r.text())
	switch kind := r.byte(); kind {
	case 0:
	case 1:
		for n := r.int(); n > 0 && r.err == nil; n-- {
			r.hold(irgraph.CostMember)
			o.values = append(o.values, r.string())
		}
	default:
		r.fail("%d is no kind of class", kind)
	}
}

func (r *reader) nodeClass(o *object) {
	c := &nodeClass{}
	if r.major < 2 {
		c.name = r.text()
	} else {
		c.name = r.string()
	}
	c.template = r.text()
	ports := func(typed bool) (out []port) {
		for range r.short() {
			if r.err != nil {
				return nil
			}
			r.hold(irgraph.CostMember)
			p := port{list: r.byte() != 0, name: r.string()}
			if typed {
				p.kind = strings.ToLower(r.string())
			}
			out = append(out, p)
		}
		return out
	}
	c.inputs, c.next = ports(true), ports(false)
	o.class, o.text = c, c.short()
}

// short is a class's name without its package and the word Node.
func (c *nodeClass) short() string {
	name := c.name[strings.LastIndexByte(c.name, '.')+1:]
	name = name[strings.LastIndexByte(name, '$')+1:]
	if short := strings.TrimSuffix(name, "Node"); short != "" {
		return short
	}
	return name
}

func (r *reader) position(o *object) {
	p, m := &position{}, r.object()
	p.bci = r.int()
	if r.major < 6 {
		if file := r.object(); file != nil {
			p.file, p.line = file.text, r.int()
		}
	} else {
		for r.err == nil {
			file := r.object()
			if file == nil {
				break
			}
			r.text() // language
			line := r.int()
			r.int()
			r.int()
			if p.file == "" {
				p.file, p.line = file.text, line
			}
		}
	}
	r.object() // where it was inlined
	o.position = p
	o.text = "bci " + strconv.Itoa(p.bci)
	if m != nil && m.method != nil {
		o.text = m.method.String() + " " + o.text
	}
	if p.file != "" {
		o.text += " " + p.file + ":" + strconv.Itoa(p.line)
	}
}

// string reads an object of the pool as text.
func (r *reader) string() string {
	if o := r.object(); o != nil {
		return o.text
	}
	return ""
}
