package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOptionsThatDoNotApply: an option that would change nothing is refused with a sentence that says when it applies,
// and with the views that take it; nothing is written.
func TestOptionsThatDoNotApply(t *testing.T) {
	list, bubble, graph := recordings+"list.orr", recordings+"bubble-array-sorted.orr", graphs+"hotspot.xml"
	for _, row := range []struct{ args, want string }{
		{"render heap " + list + " -o OUT.png --tail 99", "--tail is an option of cache; heap does not take it"},
		{"render heap " + list + " -o OUT.png --rank 7", "--rank is an option of cycles; heap does not take it"},
		{"render heap " + list + " -o OUT.png --morph-to 3", "--morph-to is an option of cycles; heap does not take it"},
		{"render heap " + list + " -o OUT.png --phase lower", "--phase is an option of graph; heap does not take it"},
		{"render heap " + list + " -o OUT.png --front local", "--front is an option of designs; heap does not take it"},
		{"render flame " + list + " -o OUT.png --at 3",
			"--at is an option of cycles, cache, heap, timeline and source; flame does not take it"},
		{"render cache " + list + " -o OUT.png --nonsense", "unknown flag: --nonsense"},
		{"film " + list + " -o OUT.gif --view heap --tail 3", "--tail is an option of cache; heap does not take it"},
		{"render heap " + list + " -o OUT.png --speed 3", "--speed applies only to a film"},
		{"render cache " + list + " -o OUT.png --from 3", "--from applies only to a film"},
		{"render cache " + list + " -o OUT.gif --at 3", "--at applies only to a picture"},
		{"render cache " + list + " -o OUT.svg --scale 2", "--scale applies only to .png"},
		{"render flame " + list + " -o OUT.gif", "flame does not move with time, so OUT.gif cannot be filmed; films are of " +
			"cycles, cache, heap, timeline and source"},
		{"render cycles " + bubble + " -o OUT.png --preset tiny", "--preset applies only with --color miss"},
		{"render cycles " + bubble + " -o OUT.png --group a=bubble.c", "--group applies only with --color group"},
		{"render cycles " + bubble + " -o OUT.png --morph 0.3", "--morph applies only with --morph-to"},
		{"render cycles " + bubble + " -o OUT.png --keep 2", "--keep applies only with --thin"},
		{"render cycles " + bubble + " -o OUT.png --picture barcode --color file",
			"--color applies only to --picture spiral, circle and isomap"},
		{"render cycles " + bubble + " -o OUT.png --picture run --window 5",
			"--window applies only to pictures other than --picture run"},
		{"render heap " + list + " -o OUT.png --page time --curves", "--curves applies only to --page map"},
		{"render graph " + graph + " -o OUT.png --preset tiny", "--preset applies only with --over"},
		{"render graph " + graph + " -o OUT.png --diff 1,2 --phase 2", "--phase applies only without --diff"},
		{"render designs motion-jpeg -o OUT.png --picture subspaces --tone maximum", "--tone applies only to --picture tree"},
		{"cycles " + list + " --stretch 5", "--stretch applies only with --overview"},
		{"cycles " + list + " --overview --top 5", "--top applies only without --overview"},
		{"cycles " + list + " --preset tiny", "--preset applies only with --explain"},
		{"cycles " + list + " --explain --json", "--explain applies only without --json"},
		{"cycles " + list + " --from 9 --to 3", "--to 3 is not behind --from 9"},
		{"cycles --points x.csv --from 3", "--from applies only to a recording"},
		{"cache " + list + " --turn 3", "--turn applies only with --sharing"},
		{"cache " + list + " --csv OUT.csv", "--csv applies only with --by"},
		{"cache " + list + " " + bubble + " --curve", "--curve applies only to one run"},
		{"heap " + list + " --sites --bins arenas", "--bins applies only to the whole report"},
		{"heap " + list + " --flame bytes --top 3", "--top applies only to tables"},
		{"graph " + graph + " --preset tiny", "--preset applies only with --over"},
		{"graph " + graph + " --whole", "--whole applies only with --output"},
		{"graph " + graph + " -o OUT.xml --layout", "--layout applies only without --output"},
		{"designs motion-jpeg --minimise cost", "--minimise applies only to a table in a file"},
		{"designs ../../testdata/designs/slam.csv --describe --json", "--json applies only without --describe"},
		{"designs ../../testdata/designs/slam.csv --bins 3", "--bins applies only with --json and --compare"},
		{"search --example --max-area 1", "--max-area applies only to hierarchies"},
		{"info " + list + " --all --json", "--all applies only to the list"},
		{"export " + list + " -o OUT.csv --fetches", "--fetches applies only to references as din or lackey"},
		{"record --heap-only --max-refs 3 -- true", "--max-refs applies only to references"},
		{"record --event-log OUT -- true", "--event-log applies only with --live"},
	} {
		dir := t.TempDir()
		status, _, stderr := run(t, strings.Fields(strings.ReplaceAll(row.args, "OUT", filepath.Join(dir, "OUT")))...)
		said := strings.ReplaceAll(stderr, dir+"/", "")
		if status != Usage || !sentence(stderr) || !strings.Contains(said, row.want) {
			t.Errorf("orrery %s: status %d, %q; want status 2 and %q", row.args, status, said, row.want)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("orrery %s: %v is left", row.args, left)
		}
	}
}

// TestOldNames: views and options by the names that they had before do the same.
func TestOldNames(t *testing.T) {
	for _, row := range []struct{ old, now string }{
		{"render heap LIST -o OUT.svg --by waste", "render heap LIST -o OUT.svg --color waste"},
		{"render flame LIST --out OUT.svg --flame-colors site", "render flame LIST -o OUT.svg --color site"},
		{"render spiral BUBBLE -o OUT.svg", "render cycles BUBBLE -o OUT.svg"},
		{"render rings BUBBLE -o OUT.svg --at 20", "render cache BUBBLE -o OUT.svg --at 20"},
		{"render graph GRAPH -o OUT.svg --func a --against 1 --phase 2 --graph-colors references",
			"render graph GRAPH -o OUT.svg --method a --diff 1,2 --color references"},
		{"render designs SLAM -o OUT.svg --view spread --front local",
			"render designs SLAM -o OUT.svg --picture spread --show local"},
		{"film BUBBLE --out OUT.gif --view rings --to 20 --speed 2 --size 200x200",
			"render cache BUBBLE -o OUT.gif --to 20 --speed 2 --size 200x200"},
		{"film BUBBLE --out OUT.gif --view=spiral --count 40 --speed 8 --size 200x200",
			"render cycles BUBBLE -o OUT.gif --to 40 --speed 8 --size 200x200"},
		{"film LIST -o OUT.gif --view heap --to 20000 --speed 8000 --size 200x200",
			"render heap LIST -o OUT.gif --to 20000 --speed 8000 --size 200x200"},
	} {
		var made [2][]byte
		for i, args := range []string{row.old, row.now} {
			dir := t.TempDir()
			replace := strings.NewReplacer("OUT", filepath.Join(dir, "OUT"), "LIST", recordings+"list.orr", "BUBBLE",
				recordings+"bubble-array-sorted.orr",
				"GRAPH", graphs+"hotspot.xml", "SLAM", "../../testdata/designs/slam.csv")
			if status, _, stderr := run(t, strings.Fields(replace.Replace(args))...); status != Done {
				t.Errorf("orrery %s: status %d, %s", args, status, stderr)
				continue
			}
			list, err := os.ReadDir(dir)
			if err != nil || len(list) != 1 {
				t.Fatalf("orrery %s wrote %v, %v", args, list, err)
			}
			if made[i], err = os.ReadFile(filepath.Join(dir, list[0].Name())); err != nil {
				t.Fatal(err)
			}
		}
		if string(made[0]) != string(made[1]) || len(made[0]) < 500 {
			t.Errorf("%s writes %d bytes, %s writes %d others", row.old, len(made[0]), row.now, len(made[1]))
		}
	}
}

// TestFilmsOfEveryViewThatMoves by the name of the file.
func TestFilmsOfEveryViewThatMoves(t *testing.T) {
	for _, name := range viewNames(moves) {
		out := filepath.Join(t.TempDir(), "x.gif")
		status, said, stderr := run(t, "render", name, recordings+"bubble-array-sorted.orr", "-o", out, "--from", "10",
			"--count", "30", "--speed", "10", "--size", "320x240")
		if status != Done || !strings.Contains(said, "x.gif: 3 frames") {
			t.Errorf("%s: status %d, %s%s", name, status, said, stderr)
		}
	}
}
