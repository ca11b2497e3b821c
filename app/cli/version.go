package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version is the module's version as the build recorded it, "development" for a build of a working tree.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development"
}

// versionLine is what `orrery --version` says: version, revision of the source where the build knows it, compiler,
// system.
func versionLine() string {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return fmt.Sprintf("orrery %s%s %s %s/%s", Version(), revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
