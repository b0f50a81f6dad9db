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

	"github.com/docketmod/docket/domain/report"
)

// Records are a History, or a part of it, as rows: JSON by key. What counts nothing has no row.
type Records map[string]string

// The kinds of records, which begin their keys.
const (
	reportKind   = "report"
	reporterKind = "reporter"
	targetKind   = "target"
	openKind     = "open"
	authorKind   = "author"
	actedKind    = "acted"
	matchKind    = "match"
)

// maxKey is the longest key that is written out, in bytes. A longer one ends in a hash.
const maxKey = 500

// key returns a JSON array, which keeps ids apart whatever they hold.
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

// Expect makes Keys and Load include what folding the filing reads and changes.
func (h *History) Expect(c *report.Created, authors []string) {
	h.expected = append(h.expected, h.filing("", c.ReporterID, target{c.PluginID, c.Type, c.ID}, authors))
}

// ExpectMatch makes Keys and Load include the figures of a rule.
func (h *History) ExpectMatch(m Match) { of(h.matches, m) }

// Keys returns the keys of what is known beside the reports that are loaded and expected.
func (h *History) Keys() (keys []string) {
	_ = h.each(func(key string, _ func(string) error) error { // which never fails
		keys = append(keys, key)
		return nil
	})
	return keys
}

// Load sets what is known from records that were read by Keys.
func (h *History) Load(stored Records) error {
	return h.each(func(key string, set func(string) error) error {
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

// each calls do with the key of everything but reports, and with what sets it.
func (h *History) each(do func(key string, set func(string) error) error) error {
	into := func(v any) func(string) error {
		return func(text string) error { return json.Unmarshal([]byte(text), v) }
	}
	var faults []error
	for _, r := range h.reporters {
		faults = append(faults, do(reporterKey(r.id), into(r)))
	}
	for k, t := range h.targets {
		faults = append(faults, do(k.key(), into(t)))
	}
	for k, p := range h.authors {
		faults = append(faults, do(k.key(), into(p)))
	}
	for m, f := range h.matches {
		faults = append(faults, do(KeyOfMatch(m), into(f)))
	}
	filings := slices.Collect(maps.Values(h.reports))
	for _, f := range append(filings, h.expected...) {
		pair := opened{f.target, f.reporter}
		faults = append(faults, do(openKey(f.target.target, f.reporter.id), counter(h.open, pair)))
		for _, p := range f.authors {
			faults = append(faults, do(actedKey(p.author, f.target.target), counter(h.acted, acted{p, f.target})))
		}
	}
	return errors.Join(faults...)
}

func counter[K comparable](all map[K]int, key K) func(string) error {
	return func(text string) (err error) {
		all[key], err = strconv.Atoi(text)
		return err
	}
}

func (f *Filing) authorIDs() (ids []string) {
	for _, p := range f.authors {
		ids = append(ids, p.id)
	}
	return ids
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

// Records returns all that is loaded and folded.
func (h *History) Records() Records {
	all := Records{}
	put := func(key string, v any, empty bool) {
		if !empty {
			encoded, _ := json.Marshal(v) // numbers, ids and times
			all[key] = string(encoded)
		}
	}
	for id, f := range h.reports {
		t := f.target.target
		put(KeyOfReport(id), storedFiling{f.At, f.reason, f.reporter.id, [3]string{t.plugin, t.kind, t.id}, f.authorIDs(), f.outcome, f.overturning, f.matches, f.known}, false)
	}
	for id, r := range h.reporters {
		put(reporterKey(id), r, r.Upheld == 0 && r.Rejected == 0)
	}
	for k, t := range h.targets {
		put(k.key(), t, t.Reporters == 0)
	}
	for k, p := range h.authors {
		put(k.key(), p, p.Upheld == 0 && len(p.Strikes) == 0)
	}
	for k, n := range h.open {
		put(openKey(k.target.target, k.reporter.id), n, false)
	}
	for k, n := range h.acted {
		put(actedKey(k.author.author, k.target.target), n, false)
	}
	for m, f := range h.matches {
		put(KeyOfMatch(m), f, *f == Figures{})
	}
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
