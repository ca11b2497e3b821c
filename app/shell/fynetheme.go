package shell

import (
	"image/color"

	"orrery/assets"
	"orrery/views/palette"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// look is Fyne's theme made from a palette.Theme, with our typefaces and compact sizes. One look belongs to one
// window; changing its theme and setting it again recolours everything.
type look struct {
	palette.Theme
	sans, bold, mono fyne.Resource
}

// newLook loads the typefaces that ship in the binary.
func newLook(t palette.Theme) (*look, error) {
	l := &look{Theme: t}
	for _, f := range []struct {
		to   *fyne.Resource
		name string
	}{{&l.sans, "Inter-Regular.otf"}, {&l.bold, "Inter-SemiBold.otf"}, {&l.mono, "JetBrainsMono-Regular.ttf"}} {
		data, err := assets.Fonts.ReadFile("fonts/" + f.name)
		if err != nil {
			return nil, err
		}
		*f.to = fyne.NewStaticResource(f.name, data)
	}
	return l, nil
}

// Raised is one step from the panel: fields, menus and hovered rows.
func (l *look) Raised() color.NRGBA {
	if l.Dark {
		return palette.Mix(l.Panel, l.Text, 0.06)
	}
	return palette.Mix(l.Panel, l.Text, 0.045)
}

// Sunken is one step back: the field of the search entry, wells.
func (l *look) Sunken() color.NRGBA { return palette.Mix(l.Background, l.Panel, 0.15) }

// Color implements fyne.Theme.
func (l *look) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	switch name {
	case theme.ColorNameBackground:
		return l.Background
	case theme.ColorNameForeground, theme.ColorNameHyperlink:
		return l.Text
	case theme.ColorNameDisabled:
		return palette.Mix(l.Faint, l.Dim, 0.4)
	case theme.ColorNamePlaceHolder:
		return l.Dim
	case theme.ColorNamePrimary, theme.ColorNameWarning:
		return l.Accent
	case theme.ColorNameFocus, theme.ColorNameSelection:
		return palette.Alpha(l.Accent, 0.28)
	case theme.ColorNameHover:
		return palette.Alpha(l.Text, 0.07)
	case theme.ColorNamePressed:
		return palette.Alpha(l.Text, 0.12)
	case theme.ColorNameButton, theme.ColorNameDisabledButton:
		return l.Raised()
	case theme.ColorNameInputBackground:
		return l.Sunken()
	case theme.ColorNameInputBorder, theme.ColorNameSeparator:
		return l.Line
	case theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, theme.ColorNameHeaderBackground:
		return palette.Mix(l.Panel, l.Raised(), 0.5)
	case theme.ColorNameScrollBar:
		return l.Faint
	case theme.ColorNameScrollBarBackground:
		return color.NRGBA{}
	case theme.ColorNameShadow:
		if !l.Dark { // Fyne's dividers have it, too, which are to be lines and no bars
			return color.NRGBA{A: 36}
		}
		return color.NRGBA{A: 60}
	case theme.ColorNameError:
		return l.Miss
	case theme.ColorNameForegroundOnPrimary, theme.ColorNameForegroundOnWarning:
		return l.Background
	}
	return theme.DefaultTheme().Color(name, l.variant())
}

func (l *look) variant() fyne.ThemeVariant {
	if l.Dark {
		return theme.VariantDark
	}
	return theme.VariantLight
}

// Font implements fyne.Theme.
func (l *look) Font(s fyne.TextStyle) fyne.Resource {
	switch {
	case s.Symbol:
		return theme.DefaultTheme().Font(s)
	case s.Monospace:
		return l.mono
	case s.Bold:
		return l.bold
	}
	return l.sans
}

// Icon implements fyne.Theme.
func (l *look) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

// Size implements fyne.Theme: Fyne's defaults are made for fingers.
func (l *look) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameText:
		return 12.5
	case theme.SizeNameCaptionText:
		return 11
	case theme.SizeNameHeadingText:
		return 20
	case theme.SizeNameSubHeadingText:
		return 15
	case theme.SizeNamePadding:
		return 3
	case theme.SizeNameInnerPadding:
		return 6
	case theme.SizeNameInlineIcon:
		return 16
	case theme.SizeNameScrollBar:
		return 8
	case theme.SizeNameScrollBarSmall:
		return 3
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 5
	}
	return theme.DefaultTheme().Size(name)
}

// themeFor resolves a theme's name; system follows the desktop's setting.
func themeFor(name string, desktop fyne.ThemeVariant) palette.Theme {
	switch {
	case name == "light", name == "system" && desktop == theme.VariantLight:
		return palette.Light()
	}
	return palette.Dark()
}
