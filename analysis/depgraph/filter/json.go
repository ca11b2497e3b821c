package filter

import (
	"strconv"

	"github.com/dop251/goja"
)

// parses is the size of what JSON.parse reads, which must not be nested too deep.
func (r *run) parses(c *goja.FunctionCall) float64 {
	if len(c.Arguments) > 0 {
		c.Arguments = append([]goja.Value{whole(c.Arguments[0])}, c.Arguments[1:]...)
	}
	n := length(c.Argument(0))
	if n > largest {
		return n
	}
	text, depth, quoted := c.Argument(0).String(), 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case !quoted && (b == '[' || b == '{'):
			if depth++; depth > deepest {
				r.fail("JSON.parse: more than %d values are within one another", deepest)
			}
		case !quoted && (b == ']' || b == '}'):
			depth--
		}
	}
	return n
}

// writes has JSON.stringify ask for each value, so that it can be stopped: values that contain others several times
// over may be written without end. Its size is told as slow.
func (r *run) writes(c *goja.FunctionCall) float64 {
	value, by, space := c.Argument(0), c.Argument(1), c.Argument(2)
	replace, _ := goja.AssertFunction(by)
	var only map[string]bool
	if o, ok := by.(*goja.Object); ok && replace == nil && o.ClassName() == "Array" {
		only = map[string]bool{}
		for i := range int(min(length(o), largest)) {
			only[o.Get(strconv.Itoa(i)).String()] = true
		}
	}
	var holders []goja.Value // of the value that is written, from the outermost
	size, begun := 0.0, false
	ask := func(call goja.FunctionCall) goja.Value {
		r.check()
		for len(holders) > 0 && !holders[len(holders)-1].SameAs(call.This) {
			holders = holders[:len(holders)-1]
		}
		if len(holders) == 0 {
			holders = append(holders, call.This)
		}
		key, v := call.Argument(0), call.Argument(1)
		if replace != nil {
			var err error
			if v, err = replace(call.This, key, v); err != nil {
				panic(err)
			}
		}
		if o, ok := call.This.(*goja.Object); begun && only != nil && ok && o.ClassName() != "Array" && !only[key.String()] {
			return goja.Undefined()
		}
		begun = true
		if o, ok := v.(*goja.Object); ok {
			holders = append(holders, o)
		}
		if size += 1 + extent(key); size > largest || len(holders) > deepest {
			r.fail("JSON.stringify would write too much, or what is within one another too deep")
		}
		if s, ok := v.(goja.String); ok {
			size += length(s)
		}
		return v
	}
	c.Arguments = []goja.Value{value, r.vm.ToValue(ask), space}
	return slow
}
