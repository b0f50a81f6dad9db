package cmd

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/docketmod/docket/domain/registry"
)

// readManifests reads plugin manifests: files, and the .yaml and .yml files of folders. An
// unreadable file becomes a plugin with that fault.
func readManifests(paths []string) []*registry.Declaration {
	var plugins []*registry.Declaration
	for _, path := range paths {
		if path == "" {
			plugins = append(plugins, registry.Unreadable(path, errors.New("the path of a manifest is empty")))
			continue
		}
		files, err := manifestFiles(path)
		if err != nil {
			plugins = append(plugins, registry.Unreadable(path, err))
			continue
		}
		for _, file := range files {
			data, err := readAtMost(file, registry.MaxManifest+1) // one byte more, to detect a file that is too large
			if err != nil {
				plugins = append(plugins, registry.Unreadable(file, err))
				continue
			}
			plugins = append(plugins, registry.ParseManifest(file, data))
		}
	}
	return plugins
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
