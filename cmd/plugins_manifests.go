package cmd

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/docketmod/docket/domain/plugin"
)

// readManifests reads plugin manifests: files, and the .yaml and .yml files of folders. One
// that cannot be read becomes a plugin with that fault.
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
			data, err := readAtMost(file, plugin.MaxManifest+1) // one more, so that a file that is too large shows
			if err != nil {
				plugins = append(plugins, plugin.Unreadable(file, err))
				continue
			}
			plugins = append(plugins, plugin.ParseManifest(file, data))
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
