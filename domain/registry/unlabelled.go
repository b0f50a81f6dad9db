package registry

import "fmt"

// Unlabelled returns the labels of plugins for which no plugin has a message. These are not faults: the panel then
// shows the key.
func Unlabelled(plugins ...*Declaration) Faults {
	known := map[string]bool{}
	for _, p := range plugins {
		for _, texts := range p.Messages {
			for key := range texts {
				known[key] = true
			}
		}
	}
	var notes Faults
	for _, p := range plugins {
		note := func(path, label string) {
			if !known[label] {
				notes = append(notes, p.fault(path+".label", fmt.Sprintf("there is no message %q, so that people read this key: add it to messages.en", label)))
			}
		}
		for path, t := range p.types() {
			if t.Reports != nil {
				note(path, t.Label)
			}
		}
		for i := range p.Targets {
			note(targetPath(i), p.Targets[i].Label)
		}
		for i := range p.Scopes {
			note(fmt.Sprintf("scopes[%d]", i), p.Scopes[i].Label)
		}
		for i, f := range p.Families {
			note(p.familyPath(i), f.Label)
		}
		for i, f := range p.RemoteFamilies {
			note(p.remoteFamilyPath(i), f.Label)
		}
	}
	return notes
}
