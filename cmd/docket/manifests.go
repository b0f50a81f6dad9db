package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/docketmod/docket/domain/plugin"
)

// readManifests reads plugin manifests: files, and the .yaml and .yml files of
// folders. What cannot be read is a fault of its own, told at registration.
func readManifests(paths []string) []*plugin.Plugin {
	var plugins []*plugin.Plugin
	for _, path := range paths {
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
// large a one is told.
func readBounded(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, plugin.MaxManifest+1))
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
