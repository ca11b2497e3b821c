// Package irgraph reads the graphs that compilers dump of the programs they translate: IGV's XML and the stream of a
// running compiler, V8's --trace-turbo, Go's GOSSAFUNC, GCC's dump graphs, GraalVM's BGV, and any directed graph as DOT
// or GraphML. All become one model, that of Würthinger, Wimmer and Mössenböck's graph visualizer: a document of groups
// (functions), each a series of snapshots (one per phase of the compiler); a snapshot is a directed graph whose nodes
// have properties that are nothing but text. What is damaged is named by line and element in the document's problems,
// and what could be read stays. The package knows nothing of layouts, filters or recordings.
package irgraph

import (
	"strconv"
	"strings"

	"orrery/traceio"
)

// Keys of the properties that every reader sets where its format has them; all others are the format's own.
const (
	KeyName     = "name"     // what a node does, in a word or two: "AddI", "Load64"; every node has one, edges seldom
	KeyLabel    = "label"    // the node's whole text: "v12 = MOVQload <int> [8] v3 v1"
	KeyType     = "type"     // of an edge: "value", "memory", "control", ...; of a node: the type of its result
	KeyCategory = "category" // of a node: one of "control", "data", "memory", "effect", "constant", "phi", "other"
	KeyAccess   = "access"   // of a node that refers to memory: "load", "store" or "load store"
	KeyFile     = "file"     // source file, as the compiler names it
	KeyLine     = "line"     // line in it, decimal from 1
	KeyLines    = "lines"    // of a node that comes from several: the others, with a space between two
	KeyBlock    = "block"    // name of the basic block
)

// Lines are the source lines that a node's properties tell, in their order; none for none.
func (p Properties) Lines() []int {
	first, err := strconv.Atoi(p.Get(KeyLine))
	if err != nil || first <= 0 {
		return nil
	}
	out := []int{first}
	for _, text := range strings.Fields(p.Get(KeyLines)) {
		if line, err := strconv.Atoi(text); err == nil && line > 0 {
			out = append(out, line)
		}
	}
	return out
}

// Document is what was read from one file or connection. It is immutable once a reader has returned it.
type Document struct {
	Path       string // where it came from; "" when it came over the network
	Format     string // "igv", "v8", "go", "gcc", "bgv", "dot" or "graphml", with the packing behind a plus sign
	Properties Properties
	Groups     []*Group

	// Problems are what could not be used, in order of position, at most MaxProblems and what ended it;
	// MoreProblems counts those beyond.
	Problems     []*traceio.Error
	MoreProblems int
}

// MaxProblems is how many problems of one document are listed.
const MaxProblems = 100

// Group is a method or function as it goes through the compiler, or a folder of such groups.
type Group struct {
	Name       string
	Properties Properties
	Method     *Method // nil when the format has nothing about the source
	Snapshots  []*Snapshot
	Groups     []*Group

	// Listing is the machine code that came out, in order of address; nil when the format has none.
	Listing []Instruction

	// Address is where the code was in the run that made the graphs, known for compilers that run within the program; 0
	// unknown.
	Address traceio.Addr
}

// Snapshot is the graph after one phase. Snapshots of a group may share memory.
type Snapshot struct {
	Name       string
	Properties Properties
	Nodes      []Node  // in the order of the file; IDs are distinct
	Edges      []Edge  // in the order of the file; several between two nodes are several
	Blocks     []Block // empty when the snapshot has no schedule
}

// Node is one operation. Input slot i is the end of the edges with To = this node and ToSlot = i; output slots
// likewise.
type Node struct {
	// ID is the same for the same node in every snapshot of the group, and for no other node of the group, also where
	// the compiler reuses a number: then the readers append the generation, "v12#2".
	ID         string
	Properties Properties
	Block      int32 // indexes Snapshot.Blocks, -1 when the node is in none

	// Guessed are the properties that are not in the file: the reader added them by the node's name, for filters and
	// colours. They are not written.
	Guessed Guess
}

// Guess is a set of properties.
type Guess uint8

const (
	GuessedCategory Guess = 1 << iota
	GuessedAccess
)

// FileProperties are the properties of a node without those that are guessed.
func (n *Node) FileProperties() Properties {
	if n.Guessed == 0 {
		return n.Properties
	}
	out := make(Properties, 0, len(n.Properties))
	for _, p := range n.Properties {
		if p.Key == KeyCategory && n.Guessed&GuessedCategory != 0 || p.Key == KeyAccess && n.Guessed&GuessedAccess != 0 {
			continue
		}
		out = append(out, p)
	}
	return out
}

// Name is the node's name, or its ID when it has none.
func (n *Node) Name() string {
	if name := n.Properties.Get(KeyName); name != "" {
		return name
	}
	return n.ID
}

// Edge goes from an output slot to an input slot: along the flow of data or control, from definition to use.
type Edge struct {
	From, To         int32 // index Snapshot.Nodes
	FromSlot, ToSlot int32 // from 0
	Properties       Properties
}

// Block is a basic block.
type Block struct {
	Name       string
	Nodes      []int32 // index Snapshot.Nodes, in the order of the schedule
	Successors []int32 // index Snapshot.Blocks
}

// Instruction is one line of the machine code of a group.
type Instruction struct {
	Offset uint64   // bytes from the entry of the function; NoOffset when unknown
	Text   string   // as the compiler lists it: "MOVQ (AX)(CX*8), DX"
	File   string   // "" when unknown
	Line   int      // from 1; 0 when unknown
	Nodes  []string // IDs of the nodes that it came from; none when unknown
}

// NoOffset is the offset of an instruction of which only its place in the order is known.
const NoOffset = ^uint64(0)

// Method is the source behind a group, or behind a call that was inlined into it.
type Method struct {
	Name       string
	Properties Properties
	Bytecodes  []Bytecode // nil where the source is text
	Source     *Source    // nil where there are bytecodes only
	// where in the method above it was inlined: the index of a bytecode or a line of the source; -1 at the top or unknown
	At      int
	Inlined []*Method
}

// Bytecode is one instruction of a virtual machine.
type Bytecode struct {
	Index int    // position in the method, as nodes name it in their property "bci"
	Text  string // "invokestatic 12"
}

// Source is a piece of a source file.
type Source struct {
	File  string
	First int // number of the first line of Text, from 1
	Text  string
}

// Property is one named text.
type Property struct{ Key, Value string }

// Properties are the properties of one thing in the order of the file, each key at most once. They are shared and must
// not be written to.
type Properties []Property

// Get is the value of a key, "" when there is none.
func (p Properties) Get(key string) string {
	v, _ := p.Lookup(key)
	return v
}

// Lookup is the value of a key and whether there is one.
func (p Properties) Lookup(key string) (string, bool) {
	for i := range p {
		if p[i].Key == key {
			return p[i].Value, true
		}
	}
	return "", false
}

// With gives a copy in which key has the given value: in its place if it was there, otherwise at the end.
func (p Properties) With(key, value string) Properties {
	q := append(make(Properties, 0, len(p)+1), p...)
	for i := range q {
		if q[i].Key == key {
			q[i].Value = value
			return q
		}
	}
	return append(q, Property{key, value})
}

// Walk calls f for each group of the document that has snapshots, outer ones first, with the names of the folders
// around it.
func (d *Document) Walk(f func(path []string, g *Group)) {
	walk(nil, d.Groups, f)
}

func walk(path []string, groups []*Group, f func([]string, *Group)) {
	for _, g := range groups {
		if len(g.Snapshots) > 0 {
			f(path, g)
		}
		walk(append(path[:len(path):len(path)], g.Name), g.Groups, f)
	}
}

// Find is the index of the node with the given ID, -1 when the snapshot has none. It searches all nodes.
func (s *Snapshot) Find(id string) int {
	for i := range s.Nodes {
		if s.Nodes[i].ID == id {
			return i
		}
	}
	return -1
}
