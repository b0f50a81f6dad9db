package content

import (
	"fmt"
	"slices"
)

// statement is SQL that is built once at registration, for any id and locale.
type statement struct {
	sql  string
	args args
}

// args collects arguments while SQL is built.
type args []any

// asked is a placeholder for an argument that each call sets.
type asked string

const (
	askedID     asked = "id"
	askedLocale asked = "locale"
)

// add adds an argument and returns its placeholder, cast to typ.
func (a *args) add(value any, typ string) string {
	*a = append(*a, value)
	return fmt.Sprintf("$%d::%s", len(*a), typ)
}

// locale adds the argument for the spellings of the requested locale.
func (a *args) locale() string { return a.once(askedLocale, "text[]") }

// id adds the argument for the requested id, cast to typ.
func (a *args) id(typ string) string { return a.once(askedID, typ) }

func (a *args) once(what asked, typ string) string {
	if i := slices.Index(*a, any(what)); i >= 0 {
		return fmt.Sprintf("$%d::%s", i+1, typ)
	}
	return a.add(what, typ)
}

// values returns the arguments of one call.
func (s statement) values(id, locale string) []any {
	out := slices.Clone(s.args)
	for i, value := range out {
		switch value {
		case askedID:
			out[i] = id
		case askedLocale:
			out[i] = spellings(locale)
		}
	}
	return out
}
