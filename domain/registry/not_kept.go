package registry

import (
	"fmt"

	"github.com/docketmod/docket/domain/content"
)

// NotKept returns the fields that plugins declare and that reports do not store as evidence. They are notes and not
// faults, since a plugin may intend it. The declarations must be valid.
func NotKept(plugins ...*Declaration) Faults {
	var notes Faults
	for _, p := range plugins {
		note := func(path string, t *content.Type, kept content.ReportFields) {
			for _, f := range kept.NotKept(t) {
				why := "name it in reports.snapshotFields to keep it"
				if _, can := f.Kind.SnapshotKind(); !can {
					why = "a snapshot cannot hold this kind"
				}
				notes = append(notes, p.fault(path+".fields."+f.Name, fmt.Sprintf("reports of %s do not keep the field %q, of kind %s, as evidence: %s", t.ID, f.Name, f.Kind, why)))
			}
		}
		for i := range p.ContentTypes {
			note(typePath(i), &p.ContentTypes[i], p.ContentTypes[i].ReportFields())
		}
		for i := range p.RemoteTypes {
			note(remoteTypePath(i), &p.RemoteTypes[i].Type, p.RemoteTypes[i].ReportFields())
		}
	}
	return notes
}
