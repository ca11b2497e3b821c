package shell

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"
)

// noScreen is what Fyne panics with when it asks a display that did not answer.
const noScreen = "GLFW library is not initialized"

// reach builds the window and turns Fyne's panic over a display that does not answer into an error. What Fyne
// writes into the standard log meanwhile becomes the reason.
func reach(build func() (*window, error)) (w *window, err error) {
	var said bytes.Buffer
	voice := log.Writer()
	log.SetOutput(&said)
	defer func() {
		log.SetOutput(voice)
		p := recover()
		if p != nil && strings.Contains(fmt.Sprint(p), noScreen) {
			w, err = nil, unreachable(said.String())
			return
		}
		voice.Write(said.Bytes())
		if p != nil {
			panic(p)
		}
	}()
	return build()
}

// unreachable says which display did not answer, and why as far as Fyne says.
func unreachable(said string) error {
	_, why, known := strings.Cut(strings.TrimSpace(said), "PlatformError: ")
	if !known {
		why = "it does not answer"
	}
	why, _, _ = strings.Cut(why, "\n")
	return fmt.Errorf("no window can be opened on the display %q (%s); check DISPLAY, or use `orrery render` to make "+
		"pictures without one",
		os.Getenv("DISPLAY"), why)
}
