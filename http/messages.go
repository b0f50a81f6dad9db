package http

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
)

func (a *Catalog) messagesRoute() route {
	return route{http.MethodGet, "/messages", open, a.messages}
}

// messages returns the plugins' messages by key, each in the nearest available locale: for de-AT
// that is de-AT, then de, then the default.
func (a *Catalog) messages(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	wanted := dashed(q.storable("locale"))
	if err := q.Err(); err != nil {
		return err
	}
	out, all := map[string]string{}, a.Messages()
	maps.Copy(out, all[a.Locale])
	shorter := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) } // or of fr-CA and fr_CA the first
	for _, locale := range slices.SortedFunc(maps.Keys(all), shorter) {
		if includes(dashed(locale), wanted) {
			maps.Copy(out, all[locale])
		}
	}
	return writeJSON(w, http.StatusOK, out)
}

// dashed returns a locale as a language tag. Many systems write de_AT.
func dashed(locale string) string { return strings.ReplaceAll(locale, "_", "-") }

// includes reports whether tag is the wanted language tag, or one to which the lookup of RFC 4647
// section 3.4 shortens it.
func includes(tag, wanted string) bool {
	return len(tag) <= len(wanted) && strings.EqualFold(tag, wanted[:len(tag)]) && (len(tag) == len(wanted) || wanted[len(tag)] == '-')
}
