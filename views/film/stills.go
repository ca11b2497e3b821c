package film

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
)

// writeStills writes one PNG a frame into a directory, which is made, or empty.
func (f Film) writeStills(ctx context.Context, dir string, report func(done, total int64)) (err error) {
	_, before := os.Stat(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		return fmt.Errorf("the directory %s is not empty (it holds %s); name a new one, so that no frames of two films mix",
			dir, list[0].Name())
	}
	var written []string
	defer func() {
		if err == nil {
			return
		}
		for _, name := range written {
			os.Remove(name)
		}
		if before != nil {
			os.Remove(dir)
		}
	}()
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return f.each(ctx, f.Frames, all, func(i int, pixels *image.RGBA) error {
		name := filepath.Join(dir, fmt.Sprintf("frame-%05d.png", i))
		written = append(written, name)
		file, err := os.Create(name)
		if err != nil {
			return err
		}
		w := bufio.NewWriter(file)
		if err = encoder.Encode(w, pixels); err == nil {
			err = w.Flush()
		}
		if closed := file.Close(); err == nil {
			err = closed
		}
		report(int64(i+1), int64(f.Frames))
		return err
	})
}
