package main

import (
	_ "codeberg.org/go-pdf/fpdf"
	_ "fyne.io/fyne/v2/app"
	_ "fyne.io/fyne/v2/dialog"
	_ "fyne.io/fyne/v2/driver/desktop"
	_ "fyne.io/fyne/v2/test"
	_ "fyne.io/fyne/v2/theme"
	_ "fyne.io/fyne/v2/widget"
	_ "github.com/BurntSushi/toml"
	_ "github.com/fogleman/gg"
	_ "github.com/ianlancetaylor/demangle"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/spf13/cobra"
	_ "github.com/ulikunitz/xz"
	_ "golang.org/x/image/font/opentype"
	_ "golang.org/x/sys/unix"
	_ "gonum.org/v1/gonum/mat"
)

func main() {}
