package recording

import (
	"slices"
	"strings"

	"orrery/analysis/heap"
	"orrery/app/form"
	"orrery/app/panes"
	heappane "orrery/app/recording/heap"
	"orrery/views/words"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// ruleForm is the sheet in which the user writes a rule for the heap's bins.
type ruleForm struct {
	v     *heapView
	text  *form.Entry
	said  *widget.Label
	apply *form.Action
}

// ruleExample is what the sheet begins with: a rule of each kind of test that most programs can make use of.
const ruleExample = "small: size <= 64; lists: size = 65..128; mapped: mapped; large: *"

// ruleHelp says how a rule is written.
const ruleHelp = "Clauses with semicolons between; the first that fits a block names its bin. Tests are size, " +
	"usable, waste, thread, lifetime, address or arena with " +
	"<, <=, =, !=, >=, > and a number (4K, 0x10, 24..40), site and a word of its name, mapped, or * for every block, " +
	"with \"and\" between. " +
	"Or one word: arenas, pools, threads, sites; or sizes 64 256 4K."

// askRule opens the sheet with the rule that is in use.
func (v *heapView) askRule() {
	if v.d.host.Present == nil {
		return
	}
	f := newRuleForm(v)
	v.d.host.Present("Bins by a rule of your own", f.body(), fyne.NewSize(680, 240))
	v.d.host.Focus(f.text)
}

func newRuleForm(v *heapView) *ruleForm {
	f := &ruleForm{v: v, said: form.Said("")}
	text := v.shown.Now.Rule
	if text == "" {
		text = ruleExample
	}
	f.apply = form.NewAction("Sort", f.use, f.leave)
	f.apply.Importance = widget.HighImportance
	f.text = form.NewEntry(text, func(string) { f.check() }, f.use, f.leave)
	f.check()
	return f
}

func (f *ruleForm) body() fyne.CanvasObject {
	grid := form.NewGrid()
	grid.Line("rule", f.text, 500, "", f.v.d.set.Theme().Dim)
	bottom := container.NewBorder(nil, nil, nil, container.NewHBox(form.NewAction("Cancel", f.leave, f.leave), f.apply),
		f.said)
	return container.NewBorder(grid.Box, bottom, nil, nil, form.Said(ruleHelp))
}

// rule is what is written.
func (f *ruleForm) rule() (string, error) {
	text := strings.TrimSpace(f.text.Text)
	_, err := heap.ParseRule("the rule", text)
	return text, err
}

// check says what is wrong with the rule.
func (f *ruleForm) check() {
	if _, err := f.rule(); err != nil {
		f.said.Importance = widget.DangerImportance
		f.said.SetText(words.Sentence(err.Error()))
		f.apply.Disable()
		return
	}
	f.said.Importance = widget.MediumImportance
	f.said.SetText("What no clause wants is in the bin \"other\".")
	f.apply.Enable()
}

func (f *ruleForm) leave() { f.v.d.host.Dismiss() }

// use leaves the sheet and sorts the blocks. The rule stays in the list of rules.
func (f *ruleForm) use() {
	text, err := f.rule()
	if err != nil {
		return
	}
	f.leave()
	v := f.v
	if !slices.ContainsFunc(heappane.Bins.Values, func(x panes.Value[string]) bool { return x.Is == text }) &&
		!slices.Contains(v.rules, text) {
		v.rules = append(v.rules, text)
	}
	v.sortBy(text)
}
