package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/docketmod/docket/domain/plugin"
)

// readManifests reads plugin manifests: files, and the .yaml and .yml files of
// folders. What cannot be read is a fault of its own, told at registration.
func readManifests(paths []string) []*plugin.Plugin {
	var plugins []*plugin.Plugin
	for _, path := range paths {
		if path == "" {
			plugins = append(plugins, plugin.Unreadable(path, errors.New("the path of a manifest is empty")))
			continue
		}
		files, err := manifestFiles(path)
		if err != nil {
			plugins = append(plugins, plugin.Unreadable(path, err))
			continue
		}
		for _, file := range files {
			data, err := readBounded(file)
			if err != nil {
				plugins = append(plugins, plugin.Unreadable(file, err))
				continue
			}
			plugins = append(plugins, plugin.ParseManifest(file, data))
		}
	}
	return plugins
}

// readBounded reads what a manifest may hold and one byte more, by which too
// large a one is told. Of what is no file only standard input and what a shell gives
// in its place are read, since a named pipe may never be written to; and a signal to
// end ends the waiting for those.
func readBounded(file string) ([]byte, error) {
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
	data, err := io.ReadAll(io.LimitReader(f, plugin.MaxManifest+1))
	if ending.Err() != nil {
		return nil, errors.New("told to stop before it was read")
	}
	return data, err
}

func manifestFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); !e.IsDir() && (ext == ".yaml" || ext == ".yml") {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	slices.Sort(files)
	return files, nil
}
