package plugin

import (
	"time"

	"github.com/docketmod/docket/domain/content"
)

// Remote is the platform that holds a plugin's remote types: a server in any language that
// answers Docket's signed requests.
type Remote struct {
	URL       string // requests are posted to paths below it
	SecretEnv string // the environment variable with the secret that signs them
	Timeout   time.Duration
}

// Issuer signs JWTs for the members of a platform. Docket identifies a member by plugin and `sub`,
// not by `iss`, so that an issuer cannot name the account of another one.
type Issuer struct {
	JWKSURL  string // https, or http to a loopback address
	Issuer   string // the exact `iss` of every token
	Audience string // one of the `aud` of every token
}

// RemoteType is a type of content that a platform holds.
type RemoteType struct {
	content.Type // without table and columns
	Actions      []RemoteAction
	Context      bool // the platform supports the request `context`
	People       bool // the platform carries out measures on authors: `people/{kind}`
}

// ReportFields returns the title field and the captured fields: unless the declaration names them,
// every field that a snapshot can contain, since a platform sends nothing else of its content.
func (t *RemoteType) ReportFields() content.ReportFields {
	out := t.Type.ReportFields()
	if t.Reports == nil || t.Reports.SnapshotFields != nil {
		return out
	}
	out.Snapshot = nil
	for _, f := range t.Fields {
		if _, can := f.Kind.SnapshotKind(); can && f.Name != out.Title.Name {
			out.Snapshot = append(out.Snapshot, f)
		}
	}
	return out
}

// RemoteAction is an action that the platform can run. Undo is the name of the one that reverts it,
// with the same permission, or "".
type RemoteAction struct {
	Name, Undo, Permission string
	SecondKey              bool // see target.Action; not for its undo
}

// Names returns the type's actions and their undos by name, with their permissions.
func (t *RemoteType) Names() []RemoteAction {
	var all []RemoteAction
	for _, a := range t.Actions {
		all = append(all, a)
		if a.Undo != "" {
			all = append(all, RemoteAction{Name: a.Undo, Permission: a.Permission})
		}
	}
	return all
}

// RemoteFamily is a scope family whose resources a platform holds.
type RemoteFamily struct {
	ID, Label, Description string
}
