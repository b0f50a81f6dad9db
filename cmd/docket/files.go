package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// readAtMost reads at most limit bytes of a file. Of what is no file only standard
// input and what a shell gives in its place are read, since a named pipe may never be
// written to; and a signal to end ends the waiting for those.
func readAtMost(file string, limit int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !strings.HasPrefix(file, "/dev/") && !strings.HasPrefix(file, "/proc/") {
		return nil, errors.New("neither a file nor standard input")
	}
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0) // to read a pipe can then be broken off
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
