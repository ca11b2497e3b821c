package lackey

import "bytes"

// Sniff tells whether head, the first bytes of a file, is lackey text: valgrind's line naming the tool, or references,
// and lines that would be ones but for their numbers, that make up at least a tenth of the lines that are not
// valgrind's. No other format has such lines, so a text with them is damaged, or has much of the program's own output.
func Sniff(head []byte) bool {
	if bytes.Contains(head, []byte("== Lackey, an example Valgrind tool")) {
		return true
	}
	head = bytes.TrimPrefix(head, byteOrderMark)
	good, near, other := 0, 0, 0
	for len(head) > 0 {
		line, rest, ended := bytes.Cut(head, []byte{'\n'})
		head = rest
		line = bytes.TrimRight(line, " \t\r")
		if len(line) == 0 || isChatter(line) {
			continue
		}
		switch _, bad := parse(line); {
		case bad == fine:
			good++
		case bad == badAddress || bad == badSize:
			near++
		case ended || good+near+other == 0:
			other++
		}
	}
	return good > 0 && 9*(good+near) >= other
}
