package igv

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"orrery/traceio/irgraph"
)

// method reads a <method>, of a group or inlined.
func (r *reader) method(e xml.StartElement) (*irgraph.Method, error) {
	r.account.Add(irgraph.CostMethod + len(attribute(e, "name")))
	m := &irgraph.Method{Name: attribute(e, "name"), At: -1}
	if at, err := strconv.Atoi(attribute(e, "bci")); err == nil && at >= 0 {
		m.At = at
	}
	if short := attribute(e, "shortName"); short != "" && short != m.Name {
		m.Properties = irgraph.Properties{{Key: "shortName", Value: short}}
	}
	err := r.children(e, func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "properties":
			m.Properties, err = r.properties(e, m.Properties)
		case "bytecodes":
			var text string
			text, err = r.lines(e, irgraph.CostBytecode)
			m.Bytecodes = readBytecodes(text)
		case "source":
			m.Source = &irgraph.Source{File: attribute(e, "file"), First: 1}
			if n, err := strconv.Atoi(attribute(e, "first")); err == nil && n > 0 {
				m.Source.First = n
			}
			m.Source.Text, err = r.text(e)
			r.account.Add(len(m.Source.Text))
		case "inlined", "inline":
			err = r.children(e, func(e xml.StartElement) error {
				if e.Name.Local != "method" {
					return r.unknown(e)
				}
				inner, err := r.method(e)
				m.Inlined = append(m.Inlined, inner)
				return err
			})
		default:
			err = r.unknown(e)
		}
		return err
	})
	return m, err
}

// readBytecodes reads lines "4: invokestatic 12"; the colon may be missing. A line without a number goes with the one
// before.
func readBytecodes(text string) []irgraph.Bytecode {
	var out []irgraph.Bytecode
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		number, rest, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(strings.TrimSuffix(number, ":"))
		switch {
		case err == nil && n >= 0:
			out = append(out, irgraph.Bytecode{Index: n, Text: strings.TrimSpace(rest)})
		case len(out) > 0:
			out[len(out)-1].Text += " " + line
		default:
			out = append(out, irgraph.Bytecode{Index: 0, Text: line})
		}
	}
	return out
}

// readListing reads an <assembly>: lines as Write makes them, "0x40<tab>MOVQ (AX), CX<tab>main.go:12<tab>v3 v4", or
// whatever a compiler has written, a line an instruction.
func readListing(text string) []irgraph.Instruction {
	var out []irgraph.Instruction
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		in := irgraph.Instruction{Offset: irgraph.NoOffset, Text: line}
		if part := strings.Split(line, "\t"); len(part) == 4 {
			in.Text, in.Nodes = part[1], strings.Fields(part[3])
			if n, err := strconv.ParseUint(part[0], 0, 64); err == nil {
				in.Offset = n
			}
			if i := strings.LastIndexByte(part[2], ':'); i >= 0 {
				in.File = part[2][:i]
				in.Line, _ = strconv.Atoi(part[2][i+1:])
			}
			if len(in.Nodes) == 0 {
				in.Nodes = nil
			}
		}
		out = append(out, in)
	}
	return out
}

// listingLine is an instruction as readListing reads it.
func listingLine(in *irgraph.Instruction) string {
	offset := "-"
	if in.Offset != irgraph.NoOffset {
		offset = fmt.Sprintf("%#x", in.Offset)
	}
	return fmt.Sprintf("%s\t%s\t%s:%d\t%s", offset, strings.ReplaceAll(in.Text, "\t", " "), in.File, in.Line,
		strings.Join(in.Nodes, " "))
}
