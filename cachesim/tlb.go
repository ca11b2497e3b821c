package cachesim

import (
	"errors"
	"fmt"
	"math/bits"
)

// Translation is the address translation of the configuration as a hierarchy of its own: a level for each TLB, whose
// blocks are pages, and as memory the page tables. It can be run, replayed and drawn like any other; it has no levels
// when translation is not simulated. The caches and the TLBs do not influence each other: walks ask no cache.
func (c Config) Translation() Config {
	t := Config{Name: c.Name, Cores: c.Cores, Memory: c.Walk, pages: true}
	for _, b := range c.TLBs {
		t.Levels = append(t.Levels, Level{Name: b.Name, Kind: b.Kind, Size: Size(b.Entries) * b.Page,
			Ways: b.Ways, Block: b.Page,
			Policy: b.Policy, Next: b.Next, Latency: b.Latency, Seed: b.Seed})
	}
	return t
}

// Translates tells whether the levels are TLBs, those of a Translation. They take no stores: a store reads its page's
// entry.
func (c Config) Translates() bool { return c.pages }

func (c Config) checkTLBs() error {
	for i, b := range c.TLBs {
		bad := func(field string, value any, want string) error {
			return &FieldError{Level: i, Name: b.Name, Field: field, Value: fmt.Sprint(value), Want: want, TLB: true}
		}
		switch {
		case b.Ways <= 0:
			return bad("ways", b.Ways, "a set has at least one way; as many as entries means fully associative")
		case b.Entries <= 0 || b.Entries > MaxLines || b.Entries%b.Ways != 0 || bits.OnesCount(uint(b.Entries/b.Ways)) != 1:
			return bad("entries", b.Entries, fmt.Sprintf("it is %d ways times a power of two, up to %d", b.Ways, MaxLines))
		case b.Page < MinPage || b.Page > MaxPage || bits.OnesCount64(uint64(b.Page)) != 1:
			return bad("page", b.Page, fmt.Sprintf("a page is a power of two from %v to %v", Size(MinPage), MaxPage))
		}
	}
	if len(c.TLBs) == 0 {
		return nil
	}
	err := c.Translation().Validate()
	field := (*FieldError)(nil)
	if !errors.As(err, &field) {
		return err
	}
	f := *field
	f.TLB = f.Level >= 0
	switch f.Field {
	case "size":
		f.Field = "entries"
	case "block":
		f.Field = "page"
	}
	if f.Name == MemoryName {
		f.Name = "walk"
	}
	return &f
}
