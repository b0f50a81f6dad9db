package content

import "fmt"

// statement is SQL that is built once at registration, for any id and locale.
type statement struct {
	sql    string
	params []param
}

type param struct {
	from  paramSource
	value any
}

type paramSource int

const (
	fixed paramSource = iota
	fromID
	fromLocale
)

// args collects parameters while SQL is built.
type args struct {
	params []param
	placed map[paramSource]string
}

// add adds a fixed text.
func (a *args) add(value string) string {
	a.params = append(a.params, param{fixed, value})
	return fmt.Sprintf("$%d::text", len(a.params))
}

// locale adds the argument for the spellings of the locale that a call asks for.
func (a *args) locale() string { return a.once(fromLocale, "text[]") }

// spellings adds the spellings of a fixed locale.
func (a *args) spellings(locale string) string {
	a.params = append(a.params, param{fixed, spellings(locale)})
	return fmt.Sprintf("$%d::text[]", len(a.params))
}

// id adds the argument for the id that a call asks for, cast to typ.
func (a *args) id(typ string) string { return a.once(fromID, typ) }

func (a *args) once(from paramSource, typ string) string {
	if place, ok := a.placed[from]; ok {
		return place
	}
	if a.placed == nil {
		a.placed = map[paramSource]string{}
	}
	a.params = append(a.params, param{from: from})
	a.placed[from] = fmt.Sprintf("$%d::%s", len(a.params), typ)
	return a.placed[from]
}

// values returns the arguments of one call.
func (s statement) values(id, locale string) []any {
	out := make([]any, len(s.params))
	for i, p := range s.params {
		switch p.from {
		case fromID:
			out[i] = id
		case fromLocale:
			out[i] = spellings(locale)
		default:
			out[i] = p.value
		}
	}
	return out
}
