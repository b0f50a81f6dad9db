package registry

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/docketmod/docket/domain"
)

// decoder parses a manifest strictly and collects its faults of form.
type decoder struct {
	plugin *Declaration
	nodes  int // how many may still be visited
}

// node is a value of the manifest, with aliases resolved.
type node struct {
	d    *decoder
	y    *yaml.Node
	path string
	name string // of a member of a mapping
}

// fault reports why the value cannot be read.
func (n node) fault(format string, args ...any) {
	n.d.unread(n.path, n.line(), format, args...)
}

func (n node) line() int { return n.d.plugin.line(n.path) }

// unread reports a fault and marks the value as unreadable, so that later checks skip it.
func (d *decoder) unread(path string, line int, format string, args ...any) {
	d.plugin.origin.unread = append(d.plugin.origin.unread, domain.Issue{Path: path})
	d.fault(path, line, format, args...)
}

// fault reports a fault that leaves the rest of the part readable.
func (d *decoder) fault(path string, line int, format string, args ...any) {
	p := d.plugin
	p.faults = append(p.faults, Fault{p.Origin(), line, path, fmt.Sprintf(format, args...)})
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\s*)?line (\d+): `)

// document parses a manifest, which must be one YAML document.
func (d *decoder) document(data []byte) (node, bool) {
	if len(data) > MaxManifest {
		d.unread("", 0, "the manifest has more than %d bytes", MaxManifest)
		return node{}, false
	}
	y := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	err := y.Decode(&first)
	if errors.Is(err, io.EOF) || err == nil && len(first.Content) == 0 {
		d.unread("", 1, "the manifest is empty")
		return node{}, false
	}
	if err != nil {
		d.syntax(err)
		return node{}, false
	}
	switch err := y.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		d.syntax(err)
		return node{}, false
	default:
		d.unread("", second.Line, "a manifest must be one document; a second one begins here")
		return node{}, false
	}
	return d.visit(first.Content[0], "", "", first.Content[0].Line)
}

func (d *decoder) syntax(err error) {
	message, line := err.Error(), 1
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
	}
	d.unread("", line, "not valid YAML: %s", strings.TrimPrefix(message, "yaml: "))
}

// visit resolves aliases and counts nodes. It returns false once there are too many, which it
// reports once.
func (d *decoder) visit(y *yaml.Node, path, name string, line int) (node, bool) {
	for y.Kind == yaml.AliasNode && d.nodes > 0 {
		d.nodes--
		y = y.Alias
	}
	if d.nodes--; d.nodes < 0 {
		if d.nodes == -1 {
			d.unread("", line, "the manifest has more than %d values, including those that its aliases repeat", maxNodes)
		}
		return node{}, false
	}
	d.plugin.origin.lines[path] = line
	return node{d, y, path, name}, true
}

func (n node) isScalar() bool { return n.y.Kind == yaml.ScalarNode }

// text reads a value of type string. Values of other types are not converted.
func (n node) text() (string, bool) {
	if !n.isScalar() || n.y.ShortTag() != "!!str" {
		n.fault("this must be text, not %s", n.kind())
		return "", false
	}
	if !domain.Storable(n.y.Value) {
		n.fault("the text contains U+0000 or is not valid UTF-8")
		return "", false
	}
	return n.y.Value, true
}

func (n node) boolean(choices string) (value, ok bool) {
	if n.y.ShortTag() == "!!bool" {
		if err := n.y.Decode(&value); err == nil {
			return value, true
		}
	}
	n.fault("this must be %s, not %s", choices, n.kind())
	return false, false
}

// kind describes the type of the value for a message.
func (n node) kind() string {
	switch n.y.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.y.ShortTag() {
	case "!!str":
		return "text"
	case "!!null":
		return "nothing"
	case "!!bool":
		return "a boolean"
	case "!!int", "!!float":
		return "a number"
	case "!!timestamp":
		return "a date (put it in quotes to make it text)"
	default:
		return "a value of type " + n.y.ShortTag()
	}
}
