package filter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// Built-in functions run in one step of the JavaScript engine, which cannot be interrupted in between. So those that
// loop or allocate by the size of their arguments are guarded by a check of that size.
const (
	largest = 1 << 20 // elements or characters that they go through or make
	few     = 64      // elements that are not checked one by one
	slow    = 1 << 10 // from this size on it is remembered where in the script the function was called
	deepest = 2000    // calls within one another
	longest = 1 << 17 // bytes of a script, and of an expression: what reads them goes as deep as they do
)

// sized is how much a call of a built-in function goes through or makes; it may replace arguments, so that the function
// gets what was checked.
type sized func(c *goja.FunctionCall) float64

// looping are the functions of arrays that go through all of one.
var looping = []string{"copyWithin", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex",
	"flatMap", "forEach", "includes", "indexOf", "lastIndexOf",
	"map", "reduce", "reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "toLocaleString", "unshift",
	"with", "toReversed", "toSorted", "toSpliced",
	"keys", "entries"}

// unbounded are removed: BigInt and buffers, of which one operator may allocate more than there is memory, and scripts
// within scripts, which would be parsed in one step.
var unbounded = []string{"ArrayBuffer", "SharedArrayBuffer", "DataView", "BigInt", "Int8Array", "Uint8Array",
	"Uint8ClampedArray", "Int16Array", "Uint16Array",
	"Int32Array", "Uint32Array", "Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
	"Atomics", "eval", "Function"}

// makers are the prototypes whose constructors make functions of strings.
var makers = goja.MustCompile("",
	"[function(){}, function*(){}, async function(){}].map(f => Object.getPrototypeOf(f))", true)

// bound replaces built-in functions by guarded ones.
func (r *run) bound() {
	this := func(c *goja.FunctionCall) float64 { return length(c.This) }
	argument := func(i int) sized { return func(c *goja.FunctionCall) float64 { return length(c.Argument(i)) } }
	array, text, expression := r.prototype("Array"), r.prototype("String"), r.prototype("RegExp")
	for _, name := range looping {
		r.guard(array, name, this)
	}
	r.guard(array, "values", this)
	r.must(array.DefineDataPropertySymbol(goja.SymIterator, array.Get("values"), goja.FLAG_TRUE,
		goja.FLAG_TRUE, goja.FLAG_FALSE))
	r.guard(array, "concat", func(c *goja.FunctionCall) float64 { return extent(c.This) + extents(c.Arguments) })
	r.guard(array, "join", r.joins)
	r.guard(array, "flat", r.flattens)
	r.guard(r.global("Array"), "from", argument(0))

	for _, name := range []string{"split", "normalize"} {
		r.guard(text, name, of(this))
	}
	for _, name := range []string{"match", "matchAll", "search"} { // a text is made an expression
		r.guard(text, name, of(func(c *goja.FunctionCall) float64 {
			return max(length(c.This), extent(c.Argument(0))*(largest/longest))
		}))
	}
	r.guard(text, "repeat", of(func(c *goja.FunctionCall) float64 {
		c.Arguments = integer(c.Arguments, 0)
		return length(c.This) * float64(c.Argument(0).ToInteger())
	}))
	for _, name := range []string{"padStart", "padEnd"} {
		r.guard(text, name, of(func(c *goja.FunctionCall) float64 {
			c.Arguments = integer(c.Arguments, 0)
			return float64(c.Argument(0).ToInteger())
		}))
	}
	r.guard(text, "concat", of(func(c *goja.FunctionCall) float64 { return length(c.This) + extents(c.Arguments) }))
	for _, name := range []string{"replace", "replaceAll"} {
		r.guard(text, name, of(func(c *goja.FunctionCall) float64 { return replaces(c, c.This) }))
	}
	r.guardSymbol(text, goja.SymIterator, of(this))
	r.guard(r.global("String"), "raw", func(c *goja.FunctionCall) float64 {
		if o, ok := c.Argument(0).(*goja.Object); ok {
			return length(o.Get("raw"))
		}
		return 0
	})

	first := func(c *goja.FunctionCall) float64 {
		if len(c.Arguments) > 0 {
			c.Arguments = slices.Clone(c.Arguments)
			c.Arguments[0] = whole(c.Arguments[0])
		}
		return max(slow, length(c.Argument(0))) // an expression may take long on a short text
	}
	r.guard(expression, "test", first)
	for _, symbol := range []*goja.Symbol{goja.SymMatch, goja.SymMatchAll, goja.SymSearch, goja.SymSplit} {
		r.guardSymbol(expression, symbol, first)
	}
	r.guardSymbol(expression, goja.SymReplace, func(c *goja.FunctionCall) float64 {
		return max(first(c), replaces(c, c.Argument(0)))
	})

	object := r.global("Object")
	for _, name := range []string{"keys", "values", "entries", "assign", "getOwnPropertyNames",
		"getOwnPropertyDescriptors", "defineProperties", "freeze", "seal", "isFrozen", "isSealed"} {
		r.guard(object, name, func(c *goja.FunctionCall) float64 { return extents(c.Arguments) })
	}
	reflect := r.global("Reflect")
	r.guard(reflect, "ownKeys", func(c *goja.FunctionCall) float64 { return extents(c.Arguments) })
	r.guard(reflect, "apply", argument(2))
	r.guard(reflect, "construct", argument(1))
	r.guard(r.prototype("Function"), "apply", argument(1))
	r.guard(r.global("JSON"), "parse", r.parses)
	r.guard(r.global("JSON"), "stringify", r.writes)
	r.boundExpressions(expression)
	made, err := r.vm.RunProgram(makers)
	r.must(err)
	for i := range int(length(made)) {
		if o, ok := made.(*goja.Object).Get(strconv.Itoa(i)).(*goja.Object); ok {
			r.must(o.DefineDataProperty("constructor", goja.Undefined(), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
		}
	}
	for _, name := range unbounded {
		r.must(r.vm.GlobalObject().Delete(name))
	}
}

// boundExpressions replaces RegExp by a constructor that checks the length.
func (r *run) boundExpressions(prototype *goja.Object) {
	native, _ := goja.AssertConstructor(r.global("RegExp"))
	maker := r.vm.ToValue(func(c goja.ConstructorCall) *goja.Object {
		r.check()
		all := slices.Clone(c.Arguments)
		if len(all) > 0 && !goja.IsUndefined(all[0]) {
			if o, ok := all[0].(*goja.Object); !ok || o.ClassName() != "RegExp" {
				all[0] = whole(all[0])
			}
			if n := length(all[0]); n > longest {
				r.fail("an expression of %.0f characters is too long; filters may use up to %d", n, longest)
			}
		}
		o, err := native(c.NewTarget, all...)
		if err != nil {
			panic(err)
		}
		return o
	}).(*goja.Object)
	r.must(maker.DefineDataProperty("name", r.vm.ToValue("RegExp"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	r.must(maker.DefineDataProperty("prototype", prototype, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	r.must(prototype.DefineDataProperty("constructor", maker, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	r.must(r.vm.GlobalObject().DefineDataProperty("RegExp", maker, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

// global is a built-in object by its name, prototype that of its instances.
func (r *run) global(name string) *goja.Object { return r.vm.Get(name).(*goja.Object) }

func (r *run) prototype(name string) *goja.Object {
	return r.global(name).Get("prototype").(*goja.Object)
}

// guard replaces a built-in function by one that checks the size first.
func (r *run) guard(o *goja.Object, name string, size sized) {
	r.must(o.DefineDataProperty(name, r.guarded(o.Get(name), name, size), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

func (r *run) guardSymbol(o *goja.Object, symbol *goja.Symbol, size sized) {
	r.must(o.DefineDataPropertySymbol(symbol, r.guarded(o.GetSymbol(symbol), symbol.String(), size), goja.FLAG_TRUE,
		goja.FLAG_TRUE, goja.FLAG_FALSE))
}

func (r *run) guarded(v goja.Value, name string, size sized) goja.Value {
	native := v.Export().(func(goja.FunctionCall) goja.Value)
	f := r.vm.ToValue(func(c goja.FunctionCall) goja.Value {
		r.check()
		defer func(depth int) { r.depth = depth }(r.depth)
		if r.depth++; r.depth > deepest {
			r.fail("%s: built-in functions call one another too deep", name)
		}
		n := size(&c)
		if n > largest {
			r.fail("%s would go through %.0f characters or elements; filters may use up to %d", name, n, largest)
		}
		if n >= slow {
			defer r.at()()
		}
		return native(c)
	}).(*goja.Object)
	r.must(f.DefineDataProperty("name", r.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return f
}

// of makes a text of what a function of texts is called on before its size is looked at.
func of(size sized) sized {
	return func(c *goja.FunctionCall) float64 {
		c.This = whole(c.This)
		return size(c)
	}
}

// whole is a value as a text; null and undefined, of which built-in functions complain, stay.
func whole(v goja.Value) goja.Value {
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return v
	}
	return v.ToString()
}

// integer makes a number of an argument.
func integer(all []goja.Value, i int) []goja.Value {
	if i >= len(all) {
		return all
	}
	if _, ok := all[i].(*goja.Object); ok {
		all = slices.Clone(all)
		all[i] = all[i].ToNumber()
	}
	return all
}

// length is that of a text, or of what has elements with numbers.
func length(v goja.Value) float64 {
	switch v := v.(type) {
	case goja.String:
		return float64(v.Length())
	case *goja.Object:
		if n := v.Get("length"); n != nil {
			return float64(n.ToInteger())
		}
	}
	return 0
}

// extent is the length of a text or an array, and 0 of other objects, whose length is a property like any other.
func extent(v goja.Value) float64 {
	if o, ok := v.(*goja.Object); ok && o.ClassName() != "Array" && o.ClassName() != "String" {
		return 0
	}
	return length(v)
}

func extents(all []goja.Value) (sum float64) {
	for _, v := range all {
		sum += extent(v)
	}
	return sum
}

// joins is the size of what Array.prototype.join makes.
func (r *run) joins(c *goja.FunctionCall) float64 {
	o, ok := c.This.(*goja.Object)
	n := length(c.This)
	if !ok || n > largest {
		return n
	}
	between := 1.0
	if v := c.Argument(0); !goja.IsUndefined(v) {
		c.Arguments = []goja.Value{whole(v)}
		between = length(v.ToString())
	}
	size := max(n, n*between)
	if n <= few {
		return size
	}
	for i := 0; i < int(n) && size <= largest; i++ {
		size += extent(o.Get(strconv.Itoa(i)))
	}
	return size
}

// flattens is how many elements Array.prototype.flat makes.
func (r *run) flattens(c *goja.FunctionCall) float64 {
	depth := int64(1)
	if v := c.Argument(0); !goja.IsUndefined(v) {
		c.Arguments = integer(c.Arguments, 0)
		depth = c.Argument(0).ToInteger()
	}
	var size float64
	var walk func(v goja.Value, depth int64, level int)
	walk = func(v goja.Value, depth int64, level int) {
		o, ok := v.(*goja.Object)
		n := extent(v)
		if size++; !ok || n == 0 || depth < 0 || size > largest {
			return
		}
		if level > deepest {
			r.fail("flat: arrays are within one another too deep")
		}
		r.check()
		for i := 0; i < int(n) && size <= largest; i++ {
			walk(o.Get(strconv.Itoa(i)), depth-1, level+1)
		}
	}
	if n := length(c.This); n > largest {
		return n
	}
	walk(c.This, depth, 0)
	return size
}

// replaces is the size of what String.prototype.replace makes of a text with its second argument, in shares of what is
// allowed: results may be larger than texts, as most replacements are told too large by this.
func replaces(c *goja.FunctionCall, text goja.Value) float64 {
	const larger = 16
	n := length(text)
	if _, ok := goja.AssertFunction(c.Argument(1)); ok {
		return n
	}
	c.Arguments = slices.Clone(c.Arguments)
	if len(c.Arguments) > 1 {
		c.Arguments[1] = whole(c.Arguments[1])
	}
	with := c.Argument(1).String()
	around := float64(strings.Count(with, "$`") + strings.Count(with, "$'")) // the text before and behind
	made := n + (n+1)*(float64(len(with))+around*n) + float64(strings.Count(with, "$"))*n
	return max(n, made/larger)
}
