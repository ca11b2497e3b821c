package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// renamed lets a command take flags by the names that they had before, too. Help lists the new names alone.
func renamed(c *cobra.Command, now map[string]string) {
	c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if n, ok := now[name]; ok {
			name = n
		}
		return pflag.NormalizedName(name)
	})
}
