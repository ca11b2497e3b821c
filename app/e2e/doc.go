// Package e2e holds the tests that use the application as a person does: the program as it is built, in a real window
// on a display of its own (Xvfb), moved with a pointer and keys (xdotool), judged by what it writes into its event log
// and by pictures of the screen (ImageMagick). Nothing waits for a length of time; everything waits for a fact in the
// event log.
package e2e
