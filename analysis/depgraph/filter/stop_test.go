package filter

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"orrery/traceio"
)

// A script cannot hide in a built-in function: its time and its memory are over there too, and its line is told.
func TestBuiltInFunctionsAreStopped(t *testing.T) {
	const nested = "var a = [1]; for (let i = 0; i < 60; i++) a = [a, a];\n"
	const deep = "var a = [1]; for (let i = 0; i < 3000; i++) a = [a];\n"
	for _, c := range []struct {
		name, script, want string
		line               int
	}{
		{"an expression with a look ahead", "\n/(?=a)(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')",
			"stopped after a second", 2},
		{"an expression that goes back", "\n\n/(a+)+\\1$/.exec('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')\nvar a",
			"stopped after a second", 3},
		{"an expression in a search",
			"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'.search(/(?=a)(a+)+$/); remove('id', '1')",
			"stopped after a second", 1},
		{"fill", "\nnew Array(500000000).fill(1)", "fill would go through 500000000", 2},
		{"repeat", "'x'.repeat(Math.pow(2, 31))", "repeat would go through 2147483648", 1},
		{"repeat of an object's number", "'x'.repeat({valueOf() { return 1e9 }})", "repeat would go through 1000000000", 1},
		{"padStart", "'x'.padStart(1e9)", "padStart would go through", 1},
		{"padEnd", "'x'.padEnd(1e9, 'ab')", "padEnd would go through", 1},
		{"what is like an array", "[].indexOf.call({length: 1e15}, 1)", "indexOf would go through", 1},
		{"from", "Array.from({length: 1e12})", "from would go through", 1},
		{"apply", "Math.max.apply(null, {length: 1e12})", "apply would go through", 1},
		{"spread", "var a = [];\na.length = 4e9;\n[...a]", "would go through 4000000000", 3},
		{"an array of arrays as a text", nested + "String(a)", "stopped", 2},
		{"an array of arrays flat", nested + "a.flat(Infinity)", "flat would go through", 2},
		{"an array of arrays as JSON", nested + "JSON.stringify(a)", "JSON.stringify would write too much", 2},
		{"with a list of keys", nested + "JSON.stringify(a, ['0', '1'])", "JSON.stringify would write too much", 2},
		{"deep as a text", deep + "String(a)", "too deep", 2},
		{"deep and flat", deep + "a.flat(Infinity)", "too deep", 2},
		{"deep as JSON", deep + "JSON.stringify(a)", "too deep", 2},
		{"deep JSON", "JSON.parse('['.repeat(1e6))", "more than 2000 values are within one another", 1},
		{"join", "var s = 'x'.repeat(1e5);\nArray(1e5).fill(s).join('')", "join would go through", 2},
		{"replace", "'x'.repeat(1e6).replace(/x/g, 'y'.repeat(1e6))", "would go through", 1},
		{"replaceAll", "'x'.repeat(1e6).replaceAll('x', \"$'\")", "replaceAll would go through", 1},
		{"a long expression", "\nnew RegExp('('.repeat(1e6))", "an expression of 1000000 characters is too long", 2},
		{"a long expression of a match", "'x'.match('('.repeat(1e6))", "match would go through", 1},
		{"bytes", "new ArrayBuffer(1e12)", "ArrayBuffer is not defined", 1},
		{"numbers without end", "\n[() => 2n ** 1000000000000n][0]()", "no numbers without end", 2},
		{"a long script", strings.Repeat("[", longest+1), "too long", 0},
		{"a script in a script", "eval('1')", "eval is not defined", 1},
		{"a function of a text", "\n(() => 1).constructor('return 1')", "undefined", 2},
		{"thrown text that does not end", "\nthrow {toString() {\nfor (let i = 0;; i++) i--;\n}}",
			"stopped after a second", 3},
		{"thrown text that throws", "\nthrow {toString() { throw 1 }}", "cannot be made a text", 2},
		{"an empty loop", "var a = 1;\n\nwhile (true) {}", "stopped after a second", 3},
		{"an empty loop in a function", "function f() {\n\ndo ; while (true)\n}\nf()", "stopped after a second", 3},
		{"an empty loop without a condition", "\n\nfor (;;) {\n}", "stopped after a second", 3},
		{"lines", "throw 'a\\nb'", "a b", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := func(err *traceio.Error) {
				if err == nil || !strings.Contains(err.Msg, c.want) || err.Line != c.line || strings.Contains(err.Error(), "\n") {
					t.Errorf("%v, want line %d: %s", err, c.line, c.want)
				}
			}
			if !strings.Contains(c.want, "stopped") {
				r := &run{g: sample(), result: &Result{}}
				said(r.script(context.Background(), Filter{Name: "f", Script: c.script}, time.Hour))
				return
			}
			t.Parallel() // they wait for their time to be over
			out, results := apply(t, sample(), `remove("id", "5")`, c.script, `remove("id", "3")`)
			said(results[1].Err)
			if got := show(out); results[0].Err != nil || results[2].Err != nil || got != "1 2 4 | 1.0-2.0 1.0-4.1" {
				t.Errorf("the others left %s: %v, %v", got, results[0].Err, results[2].Err)
			}
		})
	}
}

// What is looked at before it runs does what it does without that.
func TestGuardedFunctionsDoTheSame(t *testing.T) {
	for _, script := range []string{
		`'ab'.repeat(3) + 'x'.padStart(4, 'yz') + 'x'.padEnd(3) + 'a'.concat('b', 1, null)`,
		`'a-b-c'.split('-').join() + 'a1b22'.replace(/\d+/g, '<$&>') + 'aXa'.replaceAll('a', () => 'q') + "abc".replace('b', "[$'$` + "`" + `]")`,
		`[...'aé😀'].join('|') + [...[1, , 3]] + Array.from({length: 3}, (_, i) => i * i) + Array.from('xy')`,
		`[[1, [2, [3]]], 4].flat() + '/' + [[1, [2, [3]]], 4].flat(Infinity) + '/' + [1, [2]].flat('0').length`,
		`JSON.stringify({a: [1, 'x', null, undefined, () => 1], b: {c: new Date(0), a: 2}, d: undefined})`,
		`JSON.stringify({a: 1, b: {a: [{b: 2, c: 3}], c: 4}}, ['a', 'b'], 2)`,
		`JSON.stringify({a: 1, b: 'x'}, (k, v) => typeof v == 'number' ? v + 1 : v, '--')`,
		`JSON.stringify([1, [2, {x: [3]}], [2]]) + JSON.stringify('x') + JSON.stringify(undefined) + JSON.stringify(5)`,
		`JSON.stringify({a: {toJSON() { return {b: 1} }}, c: [new String('s'), new Number(2)]}, undefined, 1)`,
		`JSON.stringify(JSON.parse('{"a":["[[[",{"b":"\\"{"}],"c":1e3}')) + JSON.parse('[1,2]', (k, v) => Array.isArray(v) ? v : v * 2)`,
		`Object.keys({b: 1, a: 2}) + Object.entries('ab') + JSON.stringify(Object.assign({}, {x: 1}, null, 'hi')) + Reflect.ownKeys([1])`,
		`[3, 1, 2].sort() + '' + [3, 1, 10].toSorted((a, b) => a - b) + [1, 2, 3].map(x => x * 2).filter(x => x > 2).reduce((a, b) => a + b) + [1, 2].concat([3], 4)`,
		`Math.max.apply(null, [1, 5, 2]) + Reflect.apply(Math.min, null, [4, 3]) + Reflect.construct(Date, [0]).getTime()`,
		`'a1b2'.match(/\d/g) + '' + [...'a1b2'.matchAll(/([a-z])(\d)/g)].map(m => m[2] + m.index) + 'abc'.search('c') + 'abc'.match('b').index + /b/i.test('ABC')`,
		`new RegExp('a+', 'gi') + '' + RegExp(/x/y).flags + (/a/ instanceof RegExp) + (new RegExp('x').constructor === RegExp) + new RegExp().source + 'a,b;c'.split(new RegExp('[,;]'))`,
		`class R extends RegExp { twice() { return this.source + this.source } } new R('ab').twice() + (new R('x') instanceof R)`,
		`String.raw` + "`a\\n${1}b`" +
			` + 'x'.normalize('NFC') + [1, 2].fill(0, 1) + [1, 2, 3].at(-1) + [3, 4].entries().next().value + new Set([1, 1, 2]).size + new Map([[1, 2]]).get(1)`,
		`[].indexOf.call('abc', 'b') + [].join.call({length: 2, 0: 'x', 1: 'y'}, '+') + [[1, 2], [3, null]] + [undefined, 1].join()`,
		`[].join.name + ''.repeat.name + RegExp.name + [][Symbol.iterator].name + ([][Symbol.iterator] === [].values) + Object.keys([].constructor.prototype).length`,
		`var a = [1]; a.push(a); String(a)`,
		`var caught = 0; for (const f of [() => ''.repeat(-1), () => ''.repeat.call(null, 1), () => [].map.call(null), () => JSON.parse('{'), () => { const x = {}; x.x = x; JSON.stringify(x) }, () => new RegExp('(')]) try { f() } catch (e) { caught += e.name + ' ' } caught`,
		`var i = 0; while (i++ < 5) {} do ; while (i++ < 9); for (var j = 0; j < 3; j++); i + j`,
		`'x'.replace('x', undefined) + 'x'.replace('x') + [1, 2].join(undefined) + [1, 2].join(null) + 'a'.padEnd() + 'undefined'.split() + 'xnull'.match(null)`,
	} {
		bare, err := goja.New().RunString(script)
		if err != nil {
			t.Fatalf("%s\n%v", script, err)
		}
		r := &run{g: sample(), result: &Result{}, vm: goja.New()}
		r.bound()
		tree, err := parser.ParseFile(nil, "f", script, 0)
		if err != nil || ready(tree) > 0 {
			t.Fatalf("%s: %v", script, err)
		}
		program, err := goja.CompileAST(tree, false)
		if err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		if got, err := r.vm.RunProgram(program); err != nil || got.String() != bare.String() {
			t.Errorf("%s\ngot  %v, %v\nwant %v", script, got, err, bare)
		}
	}
}

// hang runs a filter that hangs in a function of the language, as one does that none of the guards knows, and cancels
// it then.
func hang(t *testing.T, release <-chan struct{}, script string) *traceio.Error {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := &run{g: sample(), result: &Result{}}
	r.hook = func() {
		r.must(r.vm.Set("hang", func() string {
			cancel()
			<-release
			return ""
		}))
	}
	err := r.script(ctx, Filter{Name: "f", Script: script, On: true}, time.Hour)
	if err == nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("what hangs gives %v", err)
	}
	return err
}

// A script that cannot be stopped is left behind, in the line of the slow function that it was in, and no more than a
// few are.
func TestScriptsThatDoNotEndAreLeftBehind(t *testing.T) {
	for abandoned.Load() > 0 { // by other tests
		runtime.Gosched()
	}
	release := make(chan struct{})
	for range mostAbandoned - 1 {
		hang(t, release, "hang()")
	}
	if _, results := apply(t, sample(), "remove('id', '1')"); results[0].Err != nil {
		t.Errorf("when fewer are left behind: %v", results[0].Err)
	}
	if err := hang(t, release, "\n\n'x'.repeat(5000).replace('x', hang)"); err.Line != 3 {
		t.Errorf("%v, want line 3", err)
	}
	_, results := apply(t, sample(), "remove('id', '1')")
	if err := results[0].Err; err == nil ||
		!strings.Contains(err.Msg, "4 filters that were stopped before are still busy") {
		t.Errorf("with all that may be left behind: %v", err)
	}
	close(release)
	for abandoned.Load() > 0 {
		runtime.Gosched()
	}
	if _, results = apply(t, sample(), "remove('id', '1')"); results[0].Err != nil {
		t.Errorf("when they have ended: %v", results[0].Err)
	}
}

// A script that hangs where the line is known is not waited for once its time is over: not in a function of the
// language nor in one of ours.
func TestScriptsOfWhichTheLineIsKnownAreNotWaitedFor(t *testing.T) {
	for _, script := range []string{
		"\n\n'x'.repeat(5000).replace('x', hang)",
		"\n\ncolorize('name', {toString: hang}, red)",
		"\n\ncount('name', {toString: hang})",
		"\n\nnodes('name', {toString: hang})",
	} {
		release := make(chan struct{})
		r := &run{g: sample(), result: &Result{}, grace: time.Hour}
		r.hook = func() {
			r.must(r.vm.Set("hang", func() string {
				r.interrupt(tooLong)
				<-release
				return ""
			}))
		}
		said := make(chan *traceio.Error, 1)
		go func() { said <- r.script(context.Background(), Filter{Name: "f", Script: script}, time.Hour) }()
		select {
		case err := <-said:
			if err == nil || !strings.Contains(err.Msg, "stopped after a second") || err.Line != 3 {
				t.Errorf("%s: %v, want line 3", script, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it is still waited for", script)
		}
		close(release)
	}
	for abandoned.Load() > 0 {
		runtime.Gosched()
	}
}

func TestExpressionsAreToldAsTheyWereWritten(t *testing.T) {
	for _, c := range [][2]string{
		{"(", `"(" is no regular expression: missing closing )`},
		{"a)|(b", `"a)|(b" is no regular expression: unexpected )`},
		{"x[z-a]", `"x[z-a]" is no regular expression: invalid character class range: z-a`},
	} {
		for name, make := range map[string]func(string, string) (*Match, error){"whole": Whole, "part": Part} {
			if _, err := make("name", c[0]); fmt.Sprint(err) != c[1] {
				t.Errorf("%s: %v, want %s", name, err, c[1])
			}
		}
	}
}
