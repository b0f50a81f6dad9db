package plugin

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Fault is one thing wrong with a declaration. A plugin declared in Go has no
// line, and `plugin ID` for a file.
type Fault struct {
	File    string
	Line    int    // from 1; 0 when there is none
	Path    string // as `contentTypes[0].fields.title.kind`; "" for the whole
	Message string
}

// String reads `FILE:LINE: path: message`; a part that is missing is left out.
func (f Fault) String() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Line)
		}
		b.WriteString(": ")
	}
	if f.Path != "" {
		b.WriteString(f.Path)
		b.WriteString(": ")
	}
	b.WriteString(f.Message)
	return b.String()
}

// Faults is every fault of a registration, one a line.
type Faults []Fault

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

// err is nil for no faults.
func (f Faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// sorted puts the faults in the order of the plugins, then of their lines,
// each once.
func (f Faults) sorted(plugins []*Plugin) Faults {
	rank := make(map[string]int)
	for i, p := range plugins {
		if _, ok := rank[p.file()]; !ok {
			rank[p.file()] = i
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

func (p *Plugin) fault(path, message string) Fault {
	return Fault{File: p.file(), Line: p.line(path), Path: path, Message: message}
}

func (p *Plugin) file() string {
	if p.origin != nil {
		return p.origin.file
	}
	return "plugin " + cmp.Or(p.ID, "without id")
}

// line finds the line of a path, or of the nearest part around it that was written.
func (p *Plugin) line(path string) int {
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

// where names a part for a fault of another.
func (p *Plugin) where(path string) string {
	if line := p.line(path); line > 0 {
		return fmt.Sprintf("%s:%d", p.file(), line)
	}
	return p.file()
}

// unread tells whether the part, or one around it, could not be read.
func (p *Plugin) unread(path string) bool {
	if p.origin == nil {
		return false
	}
	for at := range p.origin.unread {
		if rest, below := strings.CutPrefix(path, at); below && (rest == "" || rest[0] == '.' || rest[0] == '[' || at == "") {
			return true
		}
	}
	return false
}

// DidYouMean completes a message with the known name that is nearest to what was
// written, or with nothing.
func DidYouMean(written string, known []string) string {
	if n := nearest(written, known); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
