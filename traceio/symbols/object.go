package symbols

import (
	"bytes"
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"orrery/traceio/named"
)

// object is one ELF file: its symbol table, and its debug information where it has some. All addresses in it are
// link-time addresses.
type object struct {
	path  string
	file  *elf.File
	debug *dwarf.Data // nil without usable debug information

	shared *shared // what it has in common with other files, nil when there is nothing, or it is not at hand
	parted bool    // there is something

	line  []byte            // .debug_line
	addrs []byte            // .debug_addr, for DW_OP_addrx
	types *typer            // of the debug information
	code  []code            // executable segments
	pairs map[uint64]uint64 // by place of a pair in the global offset table: see readPairs

	heads  []unitHead
	rows   int                    // of lines that were read so far
	parsed map[dwarf.Offset]*unit // nil when nobody will ask again
	detail int64                  // bytes of a file with the debug information

	loclists, loc []byte   // the sections .debug_loclists and .debug_loc,
	lists         func()   // read when they are needed first; nil when they have been
	funcs         []symbol // in order of low
	datas         []symbol // in order of low
	tls           []symbol // variables of each thread, at offsets in its block, in order of low
	linked        bool     // funcs has the entries of the linkage table
}

// symbol is one entry of a symbol table with the extent that it covers.
type symbol struct {
	low, high uint64
	name      string
}

// guard turns a panic of debug/elf or debug/dwarf, which damaged files can cause, into an error.
func guard(what string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s is damaged: %v", what, r)
		}
	}()
	return f()
}

// openObject reads the ELF file at path, with the names of its linkage table. wantID, if not empty, is the build id
// that the recording knows: a file that has been rebuilt since would give wrong names, so it is refused.
func openObject(path, wantID string) (*object, error) {
	o, err := openUnlinked(path, wantID)
	if err == nil {
		o.link()
	}
	return o, err
}

// openUnlinked is openObject without those names, which function reads if it comes to that.
func openUnlinked(path, wantID string) (*object, error) {
	data, err := named.Read(path, maxObject)
	if err != nil {
		return nil, fmt.Errorf("reading names: %w", err)
	}
	o, err := parseObject(path, data)
	if err != nil {
		return nil, err
	}
	id := o.buildID()
	if wantID != "" && id != "" && id != wantID {
		return nil, fmt.Errorf("%s has been rebuilt since the recording: build id %s, recorded was %s; record again", path,
			id, wantID)
	}
	for _, p := range byBuildID(id, filepath.Dir(path)) {
		if o.debug == nil {
			o.detached(p, 0, id)
		}
	}
	if name, sum := o.debugLink(); o.debug == nil && name != "" {
		dir := filepath.Dir(path)
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		for _, p := range []string{filepath.Join(dir, name), filepath.Join(dir, ".debug", name),
			filepath.Join(debugRoot, dir, name)} {
			if o.debug == nil {
				o.detached(p, sum, "")
			}
		}
	}
	return o, nil
}

// byBuildID are the places of the debug information of a file with a build id, which lies in dir: in the distribution's
// directory of such, in one beside the file, and where debuginfod's clients keep what they have fetched.
func byBuildID(id, dir string) []string {
	if len(id) < 3 {
		return nil
	}
	name := "/.build-id/" + id[:2] + "/" + id[2:] + ".debug"
	places := []string{debugRoot + name, dir + name, dir + "/.debug" + name}
	fetched := os.Getenv("DEBUGINFOD_CACHE_PATH")
	if caches, err := os.UserCacheDir(); fetched == "" && err == nil {
		fetched = caches + "/debuginfod_client"
	}
	if fetched != "" {
		places = append(places, filepath.Join(fetched, id, "debuginfo"))
	}
	return places
}

// debugRoot is where distributions install detached debug information.
const debugRoot = "/usr/lib/debug"

// debugLink is the name of the file with the debug information and its checksum, as strip and objcopy
// --add-gnu-debuglink leave them; "" when the file has no such link.
func (o *object) debugLink() (name string, sum uint32) {
	s := o.file.Section(".gnu_debuglink")
	if s == nil || s.Size > 1<<12 {
		return "", 0
	}
	var link []byte
	if guard(o.path, func() (err error) { link, err = contents(s); return err }) != nil || len(link) < 8 {
		return "", 0
	}
	end := bytes.IndexByte(link, 0)
	at := len(link) - 4
	if end <= 0 || end >= at || bytes.ContainsRune(link[:end], '/') {
		return "", 0
	}
	return string(link[:end]), o.file.ByteOrder.Uint32(link[at:])
}

// parseObject reads an ELF file that is in memory. Missing or unusable debug information is not an error.
func parseObject(path string, data []byte) (*object, error) {
	o := &object{path: path}
	err := guard(path, func() (err error) {
		o.file, err = named.NewELF(bytes.NewReader(data), int64(len(data)))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s is not a usable ELF file: %w", path, err)
	}
	o.readDebug(o.file, data)
	// A damaged symbol table is as good as none.
	_ = guard(path, func() error { o.readSymbols(); return nil })
	_ = guard(path, func() error { o.readPairs(); return nil })
	o.readCode(data)
	return o, nil
}

// detached takes the debug information from a file beside the stripped one, as Debian's -dbg packages install it. sum,
// if not 0, is the CRC-32 that the file must have; id, if not "", its build id.
func (o *object) detached(path string, sum uint32, id string) {
	data, err := named.Read(path, maxObject)
	if err != nil || sum != 0 && crc32.ChecksumIEEE(data) != sum {
		return
	}
	d, err := parseObject(path, data)
	if err != nil || id != "" && d.buildID() != id {
		return
	}
	o.debug, o.line, o.addrs, o.loclists, o.loc = d.debug, d.line, d.addrs, d.loclists, d.loc
	if d.lists != nil {
		o.lists = func() { d.lists(); o.loclists, o.loc = d.loclists, d.loc }
	}
	o.detail, o.shared, o.parted = int64(len(data)), d.shared, d.parted
	// A detached file keeps the symbols, but its sections have no contents and so no linkage table.
	if len(d.funcs) > len(o.funcs) {
		o.funcs, o.datas = append(d.funcs, o.funcs...), d.datas
		tidy(o.funcs)
	}
}

func (o *object) readDebug(f *elf.File, data []byte) {
	if f.Section(".debug_info") == nil && f.Section(".zdebug_info") == nil {
		return
	}
	err := guard(o.path, func() (err error) {
		o.debug, o.line, err = readDWARF(f, data)
		return err
	})
	if err != nil {
		o.debug = nil
		return
	}
	if o.parted = f.Section(".gnu_debugaltlink") != nil; o.parted {
		o.shared = readShared(f, o.path)
	}
	// Without these some variables stay unnamed, nothing else.
	read := func(name string, to *[]byte) {
		if s := f.Section(name); s != nil {
			_ = guard(o.path, func() (err error) { *to, err = sectionOf(data, s); return err })
		}
	}
	read(".debug_addr", &o.addrs)
	o.lists = func() {
		read(".debug_loclists", &o.loclists)
		read(".debug_loc", &o.loc)
	}
	o.joinSplit(f)
}

// readSymbols collects functions and data objects from the full symbol table, or from the dynamic one of a stripped
// file.
func (o *object) readSymbols() {
	syms := symbolsOf(o.file, elf.SHT_SYMTAB)
	if len(syms) == 0 {
		syms = symbolsOf(o.file, elf.SHT_DYNSYM)
	}
	for _, s := range syms {
		if s.Section == elf.SHN_UNDEF || s.Value == 0 && elf.ST_TYPE(s.Info) != elf.STT_TLS || s.Name == "" {
			continue
		}
		e := symbol{low: s.Value, high: s.Value + s.Size, name: s.Name}
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_FUNC, elf.STT_GNU_IFUNC:
			o.funcs = append(o.funcs, e)
		case elf.STT_NOTYPE: // labels of assembly code: _start
			if int(s.Section) < len(o.file.Sections) && o.file.Sections[s.Section].Flags&elf.SHF_EXECINSTR != 0 {
				o.funcs = append(o.funcs, e)
			}
		case elf.STT_OBJECT:
			if s.Size > 0 && e.high > e.low {
				o.datas = append(o.datas, e)
			}
		case elf.STT_TLS:
			if s.Size > 0 && e.high > e.low {
				o.tls = append(o.tls, e)
			}
		}
	}
	tidy(o.funcs)
	tidy(o.datas)
	tidy(o.tls)
	o.close()
}

// tidy orders symbols by address; of several names of one place the one with an extent, then the shortest, comes last
// and so wins look-ups ("malloc" over "__libc_malloc").
func tidy(s []symbol) {
	slices.SortFunc(s, func(a, b symbol) int {
		switch extent := a.high > a.low; {
		case a.low != b.low:
			return cmp.Compare(a.low, b.low)
		case extent != (b.high > b.low):
			if extent {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(len(b.name), len(a.name)), cmp.Compare(b.name, a.name), cmp.Compare(a.high, b.high))
	})
}

// close gives functions without an extent (assembly) everything up to the next function in their section.
func (o *object) close() {
	for i := range o.funcs {
		s := &o.funcs[i]
		if s.high > s.low {
			continue
		}
		for _, sec := range o.file.Sections {
			if sec.Flags&elf.SHF_ALLOC != 0 && s.low >= sec.Addr && s.low-sec.Addr < sec.Size {
				s.high = sec.Addr + sec.Size
			}
		}
		for j := i + 1; j < len(o.funcs); j++ {
			if o.funcs[j].low > s.low {
				s.high = min(s.high, o.funcs[j].low)
				break
			}
		}
	}
}

// function is the demangled name of the function symbol around a link-time address, "" when there is none.
func (o *object) function(pc uint64) string {
	i := sort.Search(len(o.funcs), func(i int) bool { return o.funcs[i].low > pc })
	switch {
	case i > 0 && pc < o.funcs[i-1].high:
		return readable(o.funcs[i-1].name)
	case !o.linked:
		o.link()
		return o.function(pc)
	}
	return ""
}

// mangled is the demangled name of the C++ function symbol that begins at low, "" when there is none.
func (o *object) mangled(low uint64) string {
	i := sort.Search(len(o.funcs), func(i int) bool { return o.funcs[i].low > low })
	if i == 0 || o.funcs[i-1].low != low || !strings.HasPrefix(o.funcs[i-1].name, "_Z") {
		return ""
	}
	return readable(o.funcs[i-1].name)
}

// buildID is the GNU build id in hexadecimal, "" when the file has none.
func (o *object) buildID() string {
	s := o.file.Section(".note.gnu.build-id")
	if s == nil {
		return ""
	}
	var note []byte
	if guard(o.path, func() (err error) { note, err = contents(s); return err }) != nil || len(note) < 16 {
		return ""
	}
	name := o.file.ByteOrder.Uint32(note)
	size := o.file.ByteOrder.Uint32(note[4:])
	if name != 4 || uint64(size)+16 > uint64(len(note)) {
		return ""
	}
	return hex.EncodeToString(note[16 : 16+size])
}
