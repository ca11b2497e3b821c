package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"orrery/analysis/attribution"
	"orrery/analysis/digest"
	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/traceio/resultcache"
	"orrery/traceio/store"
	"orrery/traceio/symbols"
)

// derive finds out what the references of a recording say. Those of a long one are counted once: the counts are kept on
// the user's result cache. Until they are there, sampled, which may be nil, gets the recording with figures from a few
// blocks. The recording that derive gives has all.
func derive(ctx context.Context, stored *store.Recording, known *naming, sampled func(*Recording),
	report func(done, total int64)) (*Recording, error) {
	r, names, err := begin(ctx, stored, known, report)
	if err != nil {
		return nil, err
	}
	if digest.Short(r) {
		hints, err := digest.Hints(ctx, r, r.Program(), r.Heap, nil)
		if err != nil {
			return nil, err
		}
		return r.count(ctx, hints, report)
	}
	kept, key := resultcache.Open(), resultcache.Key(r.Identity(), "counts", names...)
	if found := recall(kept, key, r); found != nil {
		r.fill(found)
		return r, nil
	}
	hints, err := digest.Hints(ctx, r, r.Program(), r.Heap, nil)
	if err != nil {
		return nil, err
	}
	if sampled != nil {
		glimpse, err := r.glimpse(ctx, hints)
		if err != nil {
			return nil, err
		}
		sampled(glimpse)
	}
	return r.countAndKeep(ctx, hints, kept, key, report)
}

// CountAll gives a Sampled recording with exact figures, for who has cancelled that once.
func (r *Recording) CountAll(ctx context.Context, report func(done, total int64)) (*Recording, error) {
	_, names, err := name(ctx, r.Recording, &naming{})
	if err != nil {
		return nil, err
	}
	return r.countAndKeep(ctx, r.result.Hints(), resultcache.Open(), resultcache.Key(r.Identity(), "counts", names...),
		report)
}

// countAndKeep counts all references and puts the counts in the result cache.
func (r *Recording) countAndKeep(ctx context.Context, hints region.Hints, kept *resultcache.Cache, key string,
	report func(done, total int64)) (*Recording, error) {
	whole, err := r.count(ctx, hints, report)
	if err != nil {
		return nil, err
	}
	_ = whole.keep(kept, key) // nothing is lost but time
	return whole, nil
}

// deriveBeginning is derive for the beginning of a recording, in about the same time however long it is.
func deriveBeginning(ctx context.Context, stored *store.Recording, known *naming) (*Recording, error) {
	r, _, err := begin(ctx, stored, known, nil)
	if err != nil {
		return nil, err
	}
	r.beginning = true
	hints, err := digest.Hints(ctx, r, r.Program(), r.Heap, nil)
	switch {
	case err != nil:
		return nil, err
	case digest.Short(r):
		return r.count(ctx, hints, nil)
	}
	return r.glimpse(ctx, hints)
}

// begin derives what does not depend on the references. names is what else than the file it depends on.
func begin(ctx context.Context, stored *store.Recording, known *naming,
	report func(done, total int64)) (r *Recording, names []string, err error) {
	named, names, err := name(ctx, stored, known)
	if err != nil {
		return nil, nil, err
	}
	r = &Recording{Recording: named}
	r.Heap, err = heap.AnalyzeLog(ctx, r, r.Len(), r.Program(), report)
	return r, names, err
}

// recall gives the counts that were kept, nil when there are none that fit.
func recall(kept *resultcache.Cache, key string, r *Recording) *digest.Result {
	e, err := kept.Get(key)
	if err != nil {
		return nil
	}
	defer e.Close()
	data := make([]byte, e.Size)
	if _, err := io.ReadFull(e, data); err != nil {
		return nil
	}
	found, err := digest.Restore(r, r.Program(), r.Heap, data)
	if err != nil {
		kept.Remove(key)
		return nil
	}
	return found
}

// keep puts the recording's counts in the result cache.
func (r *Recording) keep(kept *resultcache.Cache, key string) error {
	if kept == nil || key == "" {
		return nil
	}
	data, err := r.result.Keep()
	if err != nil {
		return err
	}
	return kept.Put(key, int64(len(data)), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// count gives the recording with all its references counted.
func (r *Recording) count(ctx context.Context, hints region.Hints, report func(done, total int64)) (*Recording, error) {
	whole := *r
	found, err := digest.Count(ctx, r, r.Program(), r.Heap, hints, report)
	if err != nil {
		return nil, err
	}
	whole.fill(found)
	return &whole, nil
}

// glimpse gives the recording with some of its references counted.
func (r *Recording) glimpse(ctx context.Context, hints region.Hints) (*Recording, error) {
	part := *r
	found, err := digest.Glimpse(ctx, r, r.Program(), r.Heap, hints)
	if err != nil {
		return nil, err
	}
	part.fill(found)
	return &part, nil
}

// fill takes what was counted.
func (r *Recording) fill(found *digest.Result) {
	r.result, r.Digest, r.Regions, r.Use = found, found.Digest, found.Regions, found.Use
	r.Lines = attribution.LinesOf(r.Program(), r.Digest.EachCode)
	r.code = r.overlookCode()
	r.rankRegions()
	r.rankSites()
}

// name gives names to what the recording has none for: to its program's code, where the binaries are still here, and to
// code that the program made itself, where a perf map lies beside the recording, "run.perf.map" beside "run.orr".
//
// It gives also the state of the files that the names come from. known is what was found before, of a beginning of the
// same file.
func name(ctx context.Context, r *store.Recording, known *naming) (named *store.Recording, from []string, err error) {
	if r, from, err = known.resolve(ctx, r); err != nil {
		return nil, nil, err
	}
	path := strings.TrimSuffix(r.Path(), filepath.Ext(r.Path())) + ".perf.map"
	list, err := symbols.OpenMade(path, time.Time{})
	if len(list) == 0 && err == nil {
		return r, from, nil
	}
	prog := *r.Program()
	if err != nil {
		prog.Notes = append(slices.Clip(prog.Notes), err.Error())
	}
	symbols.NameMade(&prog, r.PCs(), list)
	return r.WithProgram(&prog), append(from, stateOf(path)), nil
}

// stateOf changes when a file does; "" where there is none.
func stateOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
}

// naming is the names that were resolved last. The program's files are large, and the calls of a recording that grows
// are mostly those that its beginning has.
type naming struct {
	asked *traceio.Program // without names; nil while none were resolved
	pcs   []traceio.Addr
	named *traceio.Program
	from  []string
}

// resolve resolves the program's names where the recording has none and its binaries are still here.
func (n *naming) resolve(ctx context.Context, r *store.Recording) (named *store.Recording, from []string, err error) {
	p := r.Program()
	if len(p.Sites) > 0 || !slices.ContainsFunc(p.Modules, func(m traceio.Module) bool { return fileExists(m.Path) }) {
		return r, nil, nil
	}
	if n.asked != nil && slices.Equal(n.pcs, r.PCs()) && reflect.DeepEqual(n.asked, p) {
		return r.WithProgram(n.named), n.from, nil
	}
	for _, m := range p.Modules {
		if state := stateOf(m.Path); state != "" {
			from = append(from, state)
		}
	}
	prog := *p
	if err := symbols.Resolve(ctx, &prog, r.PCs()); err != nil {
		return nil, nil, fmt.Errorf("reading the names of %s: %w", r.Path(), err)
	}
	*n = naming{p, r.PCs(), &prog, from}
	return r.WithProgram(&prog), from, nil
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
