package shell

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"
)

// What is kept of one file is not that of another, and an empty list leaves nothing behind.
func TestSettingsAreKeptByFile(t *testing.T) {
	p := test.NewTempApp(t).Preferences()
	recall, remember := keptOf(p, "/a.orr")
	other, _ := keptOf(p, "/b.orr")
	remember("groups", []string{"swap=bubble.c:10-12"})
	again, _ := keptOf(p, "/a.orr")
	if got := again("groups"); !slices.Equal(got, []string{"swap=bubble.c:10-12"}) || len(other("groups")) != 0 ||
		len(recall("notes")) != 0 {
		t.Errorf("kept %q, of the other file %q", got, other("groups"))
	}
	remember("groups", nil)
	if got := recall("groups"); len(got) != 0 {
		t.Errorf("after forgetting %q", got)
	}
}
