package content

import "github.com/docketmod/docket/domain/measure"

// People names the table of a type's authors and the columns that carry out measures on them. If a
// column is "", the platform does not offer that measure.
type People struct {
	Table           string
	Key             string // column of the author's id, as in snapshots
	RestrictedUntil string // the latest end; infinity without one
	SuspendedUntil  string // alike
	TerminatedAt    string
}

// PeopleColumn is a column that carries out measures of one kind.
type PeopleColumn struct {
	Name   string // as a manifest names it
	Kind   measure.Kind
	Column string
}

// Columns returns the columns that are declared.
func (p *People) Columns() (declared []PeopleColumn) {
	for _, c := range []PeopleColumn{
		{"restrictedUntil", measure.Restrict, p.RestrictedUntil},
		{"suspendedUntil", measure.Suspend, p.SuspendedUntil},
		{"terminatedAt", measure.Terminate, p.TerminatedAt},
	} {
		if c.Column != "" {
			declared = append(declared, c)
		}
	}
	return declared
}

// check reports the faults of the declaration that can be found without the database.
func (p *People) check(fault FaultFunc, authors string) {
	table(fault, "table", p.Table)
	column(fault, "key", p.Key, true)
	for _, c := range p.Columns() {
		column(fault, c.Name, c.Column, true)
	}
	if len(p.Columns()) == 0 {
		fault("", "people needs at least one of restrictedUntil, suspendedUntil and terminatedAt")
	}
	if authors == "" {
		fault("", "people needs authors, which say whose content it is")
	}
}
