package filter

import (
	"math/big"
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// endless is where a program has a number without end, 1n, or 0. Operators may make more of those, in one step of the machine, than
// there is memory.
func endless(tree *ast.Program) file.Idx {
	seen := map[uintptr]bool{}
	var at file.Idx
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface:
			walk(v.Elem())
		case reflect.Pointer:
			if v.IsNil() || seen[v.Pointer()] || at > 0 {
				return
			}
			seen[v.Pointer()] = true
			if n, ok := v.Interface().(*ast.NumberLiteral); ok {
				if _, ok := n.Value.(*big.Int); ok {
					at = n.Idx
				}
				return
			}
			walk(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() && f.Type != reflect.TypeFor[*file.File]() {
					walk(v.Field(i))
				}
			}
		}
	}
	walk(reflect.ValueOf(tree.Body))
	return at
}
