package registry

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain"
)

// Fault is a fault of a declaration. For a plugin declared in Go, File is `plugin ID` and
// there is no line.
type Fault struct {
	File    string `json:"-"`
	Line    int    `json:"line"` // from 1; 0 if there is none
	Path    string `json:"path"` // such as `contentTypes[0].fields.title.kind`, in Go `Targets[0].ParseID`; "" for the whole
	Message string `json:"message"`
}

// String returns `FILE:LINE: path: message` without the parts that are missing.
func (f Fault) String() string {
	file := f.File
	if file != "" && f.Line > 0 {
		file += fmt.Sprintf(":%d", f.Line)
	}
	parts := slices.DeleteFunc([]string{file, f.Path, f.Message}, func(part string) bool { return part == "" })
	return strings.Join(parts, ": ")
}

// Faults are all faults of a registration. As an error, they have one line each.
type Faults []Fault

func (f Faults) Error() string {
	return strings.Join(domain.Map(f, Fault.String), "\n")
}

// err returns the faults as an error, or nil if there are none.
func (f Faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// sorted returns the faults without duplicates, in the order of the plugins and then of
// lines.
func (f Faults) sorted(plugins []*Declaration) Faults {
	rank := make(map[string]int)
	for i, p := range plugins {
		if _, ok := rank[p.Origin()]; !ok {
			rank[p.Origin()] = i
		}
	}
	slices.SortStableFunc(f, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(rank[a.File], rank[b.File]), cmp.Compare(a.Line, b.Line))
	})
	seen := make(map[Fault]bool)
	return slices.DeleteFunc(f, func(fault Fault) bool {
		again := seen[fault]
		seen[fault] = true
		return again
	})
}

// AddFault records a fault that was found outside of this package. Register and Check report
// it with the others.
func (p *Declaration) AddFault(path, format string, args ...any) {
	p.faults = append(p.faults, p.fault(path, fmt.Sprintf(format, args...)))
}

func (p *Declaration) fault(path, message string) Fault {
	return Fault{File: p.Origin(), Line: p.line(path), Path: p.named(path), Message: message}
}

// goNames are the fields in Go whose names are not those of a manifest with a capital letter.
var goNames = map[string]string{"id": "ID", "ids": "IDs", "idColumn": "IDColumn", "url": "URL", "jwksUrl": "JWKSURL", "parseId": "ParseID", "pluginId": "PluginID",
	"publicApi": "PublicAPI", "moderationScope": "Scope", "adminTitleField": "AdminTitle", "authorsColumn": "AuthorColumn"}

var joinedInGo = strings.NewReplacer("admin.titleField", "adminTitleField", "authors.column", "authorsColumn")

// named returns a path as its author reads it: for a plugin declared in Go, the names of its fields. Names of content
// fields and of messages stay as they are.
func (p *Declaration) named(path string) string {
	if p.origin != nil || path == "" {
		return path
	}
	if rest, is := strings.CutPrefix(path, "messages."); is {
		return "Messages." + rest
	}
	parts := strings.Split(joinedInGo.Replace(path), ".")
	for i, part := range parts {
		if i > 0 && parts[i-1] == "Fields" {
			continue
		}
		name, index, listed := strings.Cut(part, "[")
		if given, is := goNames[name]; is {
			name = given
		} else if name != "" {
			name = strings.ToUpper(name[:1]) + name[1:]
		}
		if listed {
			name += "[" + index
		}
		parts[i] = name
	}
	return strings.Join(parts, ".")
}

// Origin is the file of the manifest, or names the plugin declared in Go.
func (p *Declaration) Origin() string {
	if p.origin != nil {
		return p.origin.file
	}
	return "plugin " + cmp.Or(p.ID, "without id")
}

// line returns the line of a path, or of the nearest enclosing part that has one.
func (p *Declaration) line(path string) int {
	if p.origin == nil {
		return 0
	}
	for path != "" {
		if line, ok := p.origin.lines[path]; ok {
			return line
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return max(p.origin.lines[""], 1)
}

// where describes where a part is declared, for the faults of other parts.
func (p *Declaration) where(path string) string {
	if line := p.line(path); line > 0 {
		return fmt.Sprintf("%s:%d", p.Origin(), line)
	}
	return p.Origin()
}

// unread reports whether the part or an enclosing one could not be read.
func (p *Declaration) unread(path string) bool {
	return p.origin != nil && domain.HasIssue(p.origin.unread, path)
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
