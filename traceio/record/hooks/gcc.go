package hooks

import "strings"

// gccCommand adds one argument: a file of specifications, by which gcc's driver itself passes the compiler's flags to the
// compiler and the linker's to the linker, whatever the command line makes it do.
func gccCommand(out, rest []string, rt runtime, opt Options) ([]string, error) {
	out = append(out, "-specs="+rt.specs)
	return append(out, rest...), nil
}

// specifications is the text of that file. The compiler proper makes the sanitizer's calls; the driver does not know, so
// it links no sanitizer and takes -static. Objects for a kernel, or without a C library, stay as they are. A shared library
// gets no runtime: the program that loads it has it.
func specifications(rt runtime) string {
	var b strings.Builder
	section := func(name, text string) { b.WriteString("*" + name + ":\n+ " + text + "\n\n") }
	section("cc1", "%{!ffreestanding:%{!nostdlib:%{!fsanitize=*: -fsanitize=thread -U__SANITIZE_THREAD__ "+strings.Join(compileFlags(), " ")+" }}}")
	section("startfile", "%{!shared:%{!r:%{static|static-pie:"+rt.static+";:"+rt.object+"}}}")
	section("link", "%{!nostdlib:%{!nostartfiles:%{!r:"+strings.Join(each("--wrap=", wrapped), " ")+
		" %{static|static-pie:"+strings.Join(each("--wrap=", replaced), " ")+";:--wrap=dlopen}}}}")
	section("lib", "%{shared:-z undefs;:%{!r:-ldl -lpthread}}")
	return b.String()
}
