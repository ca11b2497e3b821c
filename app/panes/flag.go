package panes

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Flags declares the options on a command line; what is said there goes to c.
func (list Options[C]) Flags(c *C, flags *pflag.FlagSet) {
	for _, o := range list {
		o.flag(c, flags)
	}
}

// flag declares the option, with its earlier names as hidden ones.
func (o Option[C, T]) flag(c *C, flags *pflag.FlagSet) {
	usage := o.Label
	value := &flagValue[C, T]{o: &o, c: c}
	if len(o.Values) > 0 && value.Type() != "bool" {
		usage += ": " + strings.Join(value.values(), ", ")
	}
	add := func(name string) *pflag.Flag {
		f := flags.VarPF(value, name, "", usage)
		if value.Type() == "bool" {
			f.NoOptDefVal = "true"
		}
		return f
	}
	add(o.ID)
	for _, name := range o.Was {
		add(name).Hidden = true
	}
}

// flagValue is an option as pflag sees it.
type flagValue[C any, T comparable] struct {
	o *Option[C, T]
	c *C
}

// String implements pflag.Value.
func (f *flagValue[C, T]) String() string {
	if f.o == nil {
		return ""
	}
	return fmt.Sprint(f.o.keep(f.c))
}

// Type implements pflag.Value.
func (f *flagValue[C, T]) Type() string {
	var none T
	switch any(none).(type) {
	case bool:
		return "bool"
	case float64:
		return "float"
	case int:
		return "int"
	}
	return "string"
}

// Set implements pflag.Value.
func (f *flagValue[C, T]) Set(text string) error {
	if v := f.o.named(text); v != nil && !v.Window {
		f.o.Set(f.c, v.Is)
		return nil
	}
	var is T
	if f.Type() == "string" {
		data, err := json.Marshal(text)
		if err != nil {
			return err
		}
		text = string(data)
	}
	if json.Unmarshal([]byte(text), &is) != nil {
		if f.Type() != "string" {
			return fmt.Errorf("it is no number of the kind that the flag takes")
		}
		return fmt.Errorf("it is none of %s", strings.Join(f.values(), ", "))
	}
	if err := f.o.fits(f.c, is); err != nil {
		return err
	}
	f.o.Set(f.c, is)
	return nil
}

// values are what can be said.
func (f *flagValue[C, T]) values() (names []string) {
	for _, v := range f.o.Values {
		if !v.Window {
			names = append(names, v.ID)
		}
	}
	return names
}
