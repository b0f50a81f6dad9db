// Package registry reads manifests, checks what plugins declare in Go or in YAML with the same checks, reports all
// faults at once, and builds the registries of what they declare.
//
// decode.go and object.go read YAML, manifest*.go the parts of a manifest; check*.go hold the checks of what was read;
// register.go makes the registries. Other modules must not import it.
package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"regexp"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/plugin"
)

// Declaration is a plugin with the places where its parts are declared, which its faults name. A plugin declared in
// Go has no such places.
type Declaration struct {
	plugin.Plugin

	// The indexes of Families and RemoteFamilies in a manifest's moderation.scopes.
	familyAt, remoteFamilyAt []int
	origin                   *origin // nil for a plugin declared in Go
	faults                   Faults  // of the manifest's form; Register and Check report them
	// kept means that Docket stores the manifest and generates its secret.
	kept bool
}

// origin is where the parts of a manifest are declared.
type origin struct {
	file   string
	text   string
	lines  map[string]int // path to line, from 1
	unread []domain.Issue // at the paths whose value could not be read; "" is the whole
}

// Digest tells manifests of the same plugin apart. It is "" for a plugin declared in Go.
func (p *Declaration) Digest() string {
	if p.origin == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(p.origin.text))
	return hex.EncodeToString(sum[:4])
}

// types are the types of tables and of platforms, with their paths.
func (p *Declaration) types() iter.Seq2[string, *content.Type] {
	return func(yield func(string, *content.Type) bool) {
		for i := range p.ContentTypes {
			if !yield(typePath(i), &p.ContentTypes[i]) {
				return
			}
		}
		for i := range p.RemoteTypes {
			if !yield(remoteTypePath(i), &p.RemoteTypes[i].Type) {
				return
			}
		}
	}
}

var pluginID = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)
