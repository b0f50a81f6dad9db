package cmd

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// readAtMost reads at most limit bytes of a file. It refuses pipes except standard input and the
// shell's process substitution, since another might never be written to. A signal that ends the
// process interrupts the read.
func readAtMost(file string, limit int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !strings.HasPrefix(file, "/dev/") && !strings.HasPrefix(file, "/proc/") {
		return nil, errors.New("is neither a file nor standard input")
	}
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0) // so that Close interrupts the read of a pipe
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ending, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	defer context.AfterFunc(ending, func() { _ = f.Close() })()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if ending.Err() != nil {
		return nil, errors.New("told to stop before it was read")
	}
	return data, err
}
