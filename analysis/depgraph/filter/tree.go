package filter

import (
	"math/big"
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/unistring"
)

// visit calls f with every node of a program, as a pointer to its structure.
func visit(tree *ast.Program, f func(node any)) {
	seen := map[uintptr]bool{} // declarations are listed a second time with their scope
	source := reflect.TypeFor[*file.File]()
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface:
			walk(v.Elem())
		case reflect.Pointer:
			if v.IsNil() || v.Type() == source || seen[v.Pointer()] {
				return
			}
			seen[v.Pointer()] = true
			f(v.Interface())
			walk(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		}
	}
	walk(reflect.ValueOf(tree.Body))
}

// ready prepares a program for compilation. It returns the place of the first BigInt literal, 1n, or 0: one operator
// may allocate more than there is memory. Loops without a body get an empty one, as the engine has lines of expressions
// only and would report the line before such a loop.
func ready(tree *ast.Program) (number file.Idx) {
	body := func(s *ast.Statement, loop ast.Node) {
		switch b := (*s).(type) {
		case *ast.BlockStatement:
			if len(b.List) > 0 {
				return
			}
		case *ast.EmptyStatement:
		default:
			return
		}
		*s = nothing(loop.Idx0())
	}
	visit(tree, func(node any) {
		switch n := node.(type) {
		case *ast.NumberLiteral:
			if _, endless := n.Value.(*big.Int); endless && (number == 0 || n.Idx < number) {
				number = n.Idx
			}
		case *ast.WhileStatement:
			body(&n.Body, n)
		case *ast.DoWhileStatement:
			body(&n.Body, n)
		case *ast.ForStatement:
			body(&n.Body, n)
		}
	})
	return number
}

// finish appends an empty statement. The value of the last statement is the program's value, and for a loop the engine
// has a step for that without a line.
func finish(tree *ast.Program) {
	if n := len(tree.Body); n > 0 {
		tree.Body = append(tree.Body, nothing(tree.Body[n-1].Idx0()))
	}
}

// nothing is a statement without an effect.
func nothing(at file.Idx) ast.Statement {
	return &ast.ExpressionStatement{Expression: &ast.Identifier{Name: unistring.NewFromString("undefined"), Idx: at}}
}
