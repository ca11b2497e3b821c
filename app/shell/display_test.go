package shell

import (
	"bytes"
	"log"
	"strings"
	"testing"
)

// TestReach lets Fyne's panic become a sentence and every other panic pass.
func TestReach(t *testing.T) {
	var voice bytes.Buffer
	before := log.Writer()
	log.SetOutput(&voice)
	defer log.SetOutput(before)
	t.Setenv("DISPLAY", ":9876")

	w, err := reach(func() (*window, error) {
		log.Print("PlatformError: X11: Failed to open display :9876")
		panic("NotInitialized: The GLFW library is not initialized")
	})
	if w != nil || err == nil || !strings.Contains(err.Error(),
		`":9876" (X11: Failed to open display :9876); check DISPLAY, or use `+"`orrery render`") {
		t.Errorf("a display that does not answer gave %v", err)
	}
	if voice.Len() > 0 {
		t.Errorf("the reason was told twice: %q", voice.String())
	}
	if _, err := reach(func() (*window, error) { panic("GLFW library is not initialized") }); err == nil ||
		!strings.Contains(err.Error(), "it does not answer") {
		t.Errorf("without a reason: %v", err)
	}

	made := &window{}
	if w, err := reach(func() (*window, error) { log.Print("a warning"); return made, nil }); w != made || err != nil {
		t.Errorf("a display that answers gave %v, %v", w, err)
	}
	if !strings.Contains(voice.String(), "a warning") {
		t.Error("what Fyne says of a display that answers is lost")
	}
	defer func() {
		if p := recover(); p != "our own defect" {
			t.Errorf("another panic came out as %v", p)
		}
	}()
	reach(func() (*window, error) { panic("our own defect") })
}
