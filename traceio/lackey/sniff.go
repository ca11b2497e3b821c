package lackey

import "bytes"

// Sniff tells whether head, the first bytes of a file, is lackey text: valgrind's line naming the tool, or references
// that make up at least half of the lines that are not valgrind's.
func Sniff(head []byte) bool {
	if bytes.Contains(head, []byte("== Lackey, an example Valgrind tool")) {
		return true
	}
	head = bytes.TrimPrefix(head, byteOrderMark)
	good, other := 0, 0
	for len(head) > 0 {
		line, rest, ended := bytes.Cut(head, []byte{'\n'})
		head = rest
		line = bytes.TrimRight(line, " \t\r")
		if len(line) == 0 || isChatter(line) {
			continue
		}
		if _, bad := parse(line); bad == fine {
			good++
		} else if ended || other+good == 0 {
			other++
		}
	}
	return good > 0 && good >= other
}
