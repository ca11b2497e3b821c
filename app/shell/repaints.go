package shell

import (
	"os"
	"reflect"
	"time"

	"fyne.io/fyne/v2"
)

// repaints keeps Fyne's objects known, and paints anew what Fyne has dropped.
type repaints struct {
	w        *window
	reminded time.Time // when Fyne was last asked where its objects lie
	awaited  time.Time // the beginning of a repaint whose end is awaited; zero for none
}

// Fyne has a table of the canvas that each object lies on (internal/cache). Whatever is refreshed is looked up there,
// and what is not there is not refreshed: nothing fails, nothing is painted. An entry ages: after a repaint those are
// dropped that nobody has looked up for a minute. A repaint itself looks nobody up, it only adds what is missing, and
// does so before it paints:
//
//	repaint:  add what is missing ──> paint ──> drop what is older than a minute
//	                                  (starved: a minute and more)     └─> everything is dropped, for good
//
// So all objects are looked up as each repaint begins, which keeps them young; and after a repaint that has taken so
// long that they were dropped all the same, they are added again and refreshed, since nobody knows who has asked in
// vain meanwhile.

// reminding is how often the objects are looked up while there are repaints.
const reminding = time.Second

// aging is how long Fyne keeps what nobody looks up; its own variable for tests makes it shorter.
var aging = func() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("FYNE_CACHE")); err == nil {
		return d
	}
	return time.Minute
}()

// begun is called when a repaint begins, perhaps several times.
func (r *repaints) begun() {
	if r.w.win == nil {
		return
	}
	began := time.Now()
	if r.awaited.IsZero() { // of every repaint: the one that lasts a minute may be the second within a second
		r.awaited = began
		r.w.later(r.ended)
	}
	if began.Sub(r.reminded) < min(reminding, aging/8) {
		return
	}
	r.reminded = began
	for _, c := range r.w.canvases() {
		eachObject(c, func(o fyne.CanvasObject) { fyne.CurrentApp().Driver().CanvasForObject(o) })
	}
}

// ended follows a repaint, and looks how long ago it began.
func (r *repaints) ended() {
	began := r.awaited
	r.awaited = time.Time{}
	if time.Since(began) > aging/2 {
		r.revive()
	}
}

// revive has Fyne know and paint everything anew.
func (r *repaints) revive() {
	r.w.log.write("revived")
	for _, c := range r.w.canvases() {
		if adder, ok := c.(interface{ EnsureMinSize() bool }); ok {
			adder.EnsureMinSize()
		}
		for _, o := range append(c.Overlays().List(), c.Content()) {
			o.Refresh()
			c.Refresh(o)
		}
	}
}

// eachObject visits the visible objects of a canvas and of what lies over it. Fyne's canvas walks itself, but with a
// type of its own that only reflection can take; a canvas that does not, as that of Fyne's tests, drops nothing either.
func eachObject(c fyne.Canvas, visit func(fyne.CanvasObject)) {
	walk := reflect.ValueOf(c).MethodByName("WalkTrees")
	if !walk.IsValid() || walk.Type().NumIn() != 2 || walk.Type().In(1).Kind() != reflect.Func {
		return
	}
	before, after := walk.Type().In(0), walk.Type().In(1)
	walk.Call([]reflect.Value{reflect.Zero(before), reflect.MakeFunc(after, func(at []reflect.Value) []reflect.Value {
		if node, ok := at[0].Interface().(interface{ Obj() fyne.CanvasObject }); ok {
			visit(node.Obj())
		}
		return nil
	})})
}
