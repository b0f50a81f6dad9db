package scope

import (
	"errors"
	"fmt"
	"regexp"
)

// Registry holds the scope families. It is immutable, so it is safe for concurrent use.
type Registry struct {
	byID map[string]*Definition
	all  []*Definition
}

var familyID = regexp.MustCompile(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)

// maxFamilyID is the longest id of a family, in bytes.
const maxFamilyID = 128

// ValidFamilyID reports whether id is lowercase and dot separated.
func ValidFamilyID(id string) bool { return len(id) <= maxFamilyID && familyID.MatchString(id) }

// NewRegistry returns a registry of the definitions. Its error joins all faults: invalid and
// duplicate ids, and missing parts of definitions.
func NewRegistry(definitions ...*Definition) (*Registry, error) {
	r := &Registry{byID: make(map[string]*Definition, len(definitions))}
	var faults []error
	for _, d := range definitions {
		faults = append(faults, d.faults()...)
		if r.byID[d.ID] != nil {
			faults = append(faults, fmt.Errorf("scope family %q is registered twice", d.ID))
			continue
		}
		r.byID[d.ID] = d
		r.all = append(r.all, d)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return r, nil
}

func (d *Definition) faults() []error {
	var faults []error
	if !ValidFamilyID(d.ID) {
		faults = append(faults, fmt.Errorf("scope family id %q is not lowercase and dot separated", d.ID))
	}
	if d.Label == "" {
		faults = append(faults, fmt.Errorf("scope family %q has no label", d.ID))
	}
	if d.List == nil || d.Find == nil {
		faults = append(faults, fmt.Errorf("scope family %q needs both list and find", d.ID))
	}
	return faults
}

// Find returns a family, or nil.
func (r *Registry) Find(id string) *Definition { return r.byID[id] }

// All returns the families in the order of their registration.
func (r *Registry) All() []*Definition { return r.all }
