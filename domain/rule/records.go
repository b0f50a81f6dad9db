package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// Records are the rows of a History or of a part of it: JSON by key. Empty counts have no row.
type Records map[string]string

// The kinds of records, which are the prefixes of keys.
const (
	reportKind   = "report"
	reporterKind = "reporter"
	targetKind   = "target"
	openKind     = "open"
	authorKind   = "author"
	actedKind    = "acted"
	matchKind    = "match"
)

// maxKey is the longest key that is stored as it is, in bytes. A longer one ends in a hash.
const maxKey = 500

// key returns a JSON array, so that keys of different ids are never equal.
func key(kind string, parts ...string) string {
	encoded, _ := json.Marshal(append([]string{kind}, parts...))
	if len(encoded) <= maxKey {
		return string(encoded)
	}
	hash := sha256.Sum256(encoded)
	return fmt.Sprintf(`[%q,"#%s"]`, kind, hex.EncodeToString(hash[:]))
}

// KeyOfReport returns the key of a report's record.
func KeyOfReport(id string) string { return key(reportKind, id) }

// KeyOfMatch returns the key of the figures of a rule.
func KeyOfMatch(m Match) string {
	return key(matchKind, m.Key, strconv.Itoa(m.Version), strconv.FormatBool(m.Shadow))
}

func (t target) key() string       { return key(targetKind, t.plugin, t.kind, t.id) }
func (a author) key() string       { return key(authorKind, a.plugin, a.id) }
func reporterKey(id string) string { return key(reporterKind, id) }
func openKey(t target, reporter string) string {
	return key(openKind, t.plugin, t.kind, t.id, reporter)
}
func actedKey(a author, t target) string { return key(actedKind, a.plugin, a.id, t.kind, t.id) }

// Expect makes Keys and Load include the records that folding the filing reads and writes.
func (h *History) Expect(c *report.Created, authors []string) {
	h.expected = append(h.expected, h.filing("", c.ReporterID, target{c.PluginID, c.Type, c.ID}, authors))
}

// ExpectMatch makes Keys and Load include the figures of a rule.
func (h *History) ExpectMatch(m Match) { of(h.matches, m) }

// Keys returns the keys of the records that the loaded and expected reports need.
func (h *History) Keys() (keys []string) {
	_ = h.each(func(key string, _ any, _ bool, _ func(string) error) error { // which never fails
		keys = append(keys, key)
		return nil
	})
	return keys
}

// Load sets the state from the records that Keys named.
func (h *History) Load(stored Records) error {
	return h.each(func(key string, _ any, _ bool, set func(string) error) error {
		text, ok := stored[key]
		if !ok {
			return nil
		}
		if err := set(text); err != nil {
			return fmt.Errorf("read the record %s: %w", key, err)
		}
		return nil
	})
}

// each calls do for every record except those of reports: with its key, its value, whether that is empty, and a
// function that sets it from the text of a record.
func (h *History) each(do func(key string, known any, none bool, set func(string) error) error) (err error) {
	into := func(v any) func(string) error {
		return func(text string) error { return json.Unmarshal([]byte(text), v) }
	}
	for _, r := range h.reporters {
		err = errors.Join(err, do(reporterKey(r.id), r, r.Upheld == 0 && r.Rejected == 0, into(r)))
	}
	for k, t := range h.targets {
		err = errors.Join(err, do(k.key(), t, t.Reporters == 0, into(t)))
	}
	for k, p := range h.authors {
		err = errors.Join(err, do(k.key(), p, p.Upheld == 0 && len(p.Strikes) == 0, into(p)))
	}
	for m, f := range h.matches {
		err = errors.Join(err, do(KeyOfMatch(m), f, *f == Figures{}, into(f)))
	}
	filings := slices.Collect(maps.Values(h.reports))
	for _, f := range append(filings, h.expected...) {
		t, pair := f.target.target, opened{f.target, f.reporter}
		err = errors.Join(err, do(openKey(t, f.reporter.id), h.open[pair], h.open[pair] == 0, counter(h.open, pair)))
		for _, p := range f.authors {
			n := h.acted[acted{p, f.target}]
			err = errors.Join(err, do(actedKey(p.author, t), n, n == 0, counter(h.acted, acted{p, f.target})))
		}
	}
	return err
}

func counter[K comparable](all map[K]int, key K) func(string) error {
	return func(text string) (err error) {
		all[key], err = strconv.Atoi(text)
		return err
	}
}

type storedFiling struct {
	At          time.Time       `json:"at"`
	Reason      report.Reason   `json:"reason"`
	Reporter    string          `json:"reporter"`
	Target      [3]string       `json:"target"`
	Authors     []string        `json:"authors,omitempty"`
	Outcome     Outcome         `json:"outcome"`
	Overturning bool            `json:"overturning,omitempty"`
	Matches     []Match         `json:"matches,omitempty"`
	Known       json.RawMessage `json:"known,omitempty"`
}

// Records returns the records of everything that was loaded and folded.
func (h *History) Records() Records {
	all := Records{}
	put := func(key string, known any, none bool, _ func(string) error) error {
		if !none {
			encoded, _ := json.Marshal(known) // numbers, ids and times
			all[key] = string(encoded)
		}
		return nil
	}
	for id, f := range h.reports {
		t := f.target.target
		authors := domain.Map(f.authors, func(p *past) string { return p.id })
		_ = put(KeyOfReport(id), storedFiling{f.At, f.reason, f.reporter.id, [3]string{t.plugin, t.kind, t.id}, authors, f.outcome, f.overturning, f.matches, f.known}, false, nil)
	}
	_ = h.each(put)
	return all
}

// LoadReport adds a report from its record.
func (h *History) LoadReport(id, text string) error {
	var s storedFiling
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return fmt.Errorf("read the record of report %s: %w", id, err)
	}
	f := h.filing(id, s.Reporter, target{s.Target[0], s.Target[1], s.Target[2]}, s.Authors)
	f.At, f.reason, f.outcome, f.overturning, f.matches, f.known = s.At, s.Reason, s.Outcome, s.Overturning, s.Matches, s.Known
	h.reports[id] = f
	for _, m := range f.matches {
		h.ExpectMatch(m)
	}
	return nil
}
