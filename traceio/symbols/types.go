package symbols

import (
	"debug/dwarf"
	"strconv"

	"orrery/traceio"
)

// maxTypes bounds the table of types of one program.
const maxTypes = 1 << 18

// typer turns DWARF types into traceio.Types, each once. Typedefs and qualifiers are seen through; pointers, numbers
// and enumerations become leaves.
type typer struct {
	o    *object
	c    *collector
	seen map[dwarf.Offset]int
}

// typer gives the file's typer, which adds to c.
func (o *object) typer(c *collector) *typer {
	if len(c.types) == 0 {
		c.types = []traceio.Type{{}}
	}
	if o.types == nil || o.types.c != c {
		o.types = &typer{o: o, c: c, seen: map[dwarf.Offset]int{}}
	}
	return o.types
}

// of is the index of the type at off in the collector's table, 0 (unknown) for what cannot be described.
func (t *typer) of(off dwarf.Offset, depth int) int {
	if off == 0 || depth > maxDepth {
		return 0
	}
	if id, ok := t.seen[off]; ok {
		return id
	}
	e, r := t.o.entryAt(off)
	if e == nil || len(t.c.types) >= maxTypes {
		return 0
	}
	name := t.o.text(e, dwarf.AttrName)
	size, _ := e.Val(dwarf.AttrByteSize).(int64)
	elem, _ := t.o.ref(e, dwarf.AttrType)
	switch e.Tag {
	case dwarf.TagTypedef, dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagRestrictType, dwarf.TagAtomicType:
		t.seen[off] = 0 // a chain that leads back here ends
		id := t.of(elem, depth+1)
		if id != 0 && e.Tag == dwarf.TagTypedef && t.c.types[id].Name == "" && len(t.c.types[id].Dims) == 0 {
			t.c.types[id].Name = name // struct without a tag
		}
		t.seen[off] = id
		return id
	case dwarf.TagPointerType, dwarf.TagReferenceType, dwarf.TagRvalueReferenceType, dwarf.TagPtrToMemberType:
		return t.pointer(off, size)
	case dwarf.TagArrayType:
		t.seen[off] = 0
		return t.array(off, r, e, elem, size, depth)
	case dwarf.TagStructType, dwarf.TagClassType, dwarf.TagUnionType:
		return t.structure(off, r, e, name, size, depth)
	case dwarf.TagBaseType, dwarf.TagEnumerationType:
		return t.leaf(off, name, size)
	}
	t.seen[off] = 0
	return 0
}

func (t *typer) add(off dwarf.Offset, v traceio.Type) int {
	id := len(t.c.types)
	t.c.types = append(t.c.types, v)
	t.seen[off] = id
	return id
}

func (t *typer) leaf(off dwarf.Offset, name string, size int64) int {
	return t.add(off, traceio.Type{Name: name, Size: uint64(max(size, 0))})
}

// pointer is one type for all pointers of a size.
func (t *typer) pointer(off dwarf.Offset, size int64) int {
	if size <= 0 {
		size = 8
	}
	if i := t.c.pointer; i > 0 && t.c.types[i].Size == uint64(size) {
		t.seen[off] = i
		return i
	}
	t.c.pointer = t.leaf(off, "pointer", size)
	return t.c.pointer
}

// array describes an array; r stands behind its entry, so its subranges follow.
func (t *typer) array(off dwarf.Offset, r *entries, e *dwarf.Entry, elem dwarf.Offset, size int64, depth int) int {
	var dims []int
	count := uint64(1)
	for e.Children {
		s, err := r.Next()
		if err != nil || s == nil || s.Tag == 0 {
			break
		}
		n := int64(-1)
		if v, ok := s.Val(dwarf.AttrCount).(int64); ok {
			n = v
		} else if v, ok := s.Val(dwarf.AttrUpperBound).(int64); ok {
			n = v + 1
		}
		if s.Children {
			r.SkipChildren()
		}
		if n < 0 || uint64(n) > 1<<40 || count > 1<<40 {
			return 0 // an incomplete array: extern int a[]
		}
		dims = append(dims, int(n))
		count *= uint64(n)
	}
	id := t.of(elem, depth+1)
	if id == 0 || len(dims) == 0 {
		return 0
	}
	if size <= 0 {
		if s := t.c.types[id].Size; s != 0 && count > 1<<47/s {
			return 0
		}
		size = int64(count * t.c.types[id].Size)
	}
	name := t.c.types[id].Name
	for _, d := range dims {
		name += "[" + strconv.Itoa(d) + "]"
	}
	return t.add(off, traceio.Type{Name: name, Size: uint64(size), Dims: dims, Elem: id})
}

// structure describes a structure, class or union; its bases are fields without a name. r stands behind its entry.
func (t *typer) structure(off dwarf.Offset, r *entries, e *dwarf.Entry, name string, size int64, depth int) int {
	id := t.leaf(off, name, size) // known before its members, which may point back to it
	var fields []traceio.Field
	for e.Children {
		m, err := r.Next()
		if err != nil || m == nil || m.Tag == 0 {
			break
		}
		at, placed := m.Val(dwarf.AttrDataMemberLoc).(int64)
		placed = placed || e.Tag == dwarf.TagUnionType
		if bits, ok := m.Val(dwarf.AttrDataBitOffset).(int64); ok && !placed {
			at, placed = bits/8, true
		}
		typ, _ := t.o.ref(m, dwarf.AttrType)
		if (m.Tag == dwarf.TagMember || m.Tag == dwarf.TagInheritance) && placed && at >= 0 {
			f := traceio.Field{Offset: uint64(at), Type: t.of(typ, depth+1)}
			if m.Tag == dwarf.TagMember {
				f.Name = t.o.text(m, dwarf.AttrName)
			}
			fields = append(fields, f)
		}
		if m.Children {
			r.SkipChildren()
		}
	}
	t.c.types[id].Fields = fields
	return id
}
