package rule

import (
	"encoding/json"
	"fmt"

	"cel.dev/cel-go/cel"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/snapshot"
)

// Facts are what is known of a filing at its position in the log, and all that a rule sees. A filing has the same facts
// in every back-test as when it was filed, unless they were erased.
type Facts struct {
	Reason  string   `json:"-"`
	Locale  string   `json:"-"` // of the content
	Type    string   `json:"-"` // of the target
	Plugin  string   `json:"-"`
	Scope   string   `json:"-"` // "family:id" of the target's scope, or ""
	Title   string   `json:"-"`
	Text    string   `json:"-"` // at most snapshot.MaxText code points
	Links   []string `json:"-"`
	Authors []string `json:"-"` // ids
	// Reporters is how many people have an open report on the target, and Reasons how many of these reports give each
	// reason, including this report.
	Reporters int            `json:"reporters"`
	Reasons   map[string]int `json:"reasons"`
	// ReporterUpheld and ReporterRejected count the reporter's decided reports at filing.
	ReporterUpheld   int `json:"reporterUpheld"`
	ReporterRejected int `json:"reporterRejected"`
	// AuthorUpheld is the number of an author's targets on which action was taken before the filing, and AuthorStrikes
	// the author's strikes at the filing. Each is the maximum over the authors.
	AuthorUpheld  int                `json:"authorUpheld"`
	AuthorStrikes int                `json:"authorStrikes"`
	Muted         bool               `json:"-"` // the reporter was
	Signals       map[string]float64 `json:"-"` // by name, the highest score of all sources
}

// FactsOf returns the facts in the event that opened a report and in its signals. content is nil if the evidence was
// erased; authors are then the ids that the erasure recorded. History.Filed or Recall adds the facts from before the
// filing.
func FactsOf(c *report.Created, content *snapshot.Content, authors []string, signals ...*report.Signalled) *Facts {
	f := &Facts{Reason: string(c.Reason), Locale: c.Locale, Type: c.Type, Plugin: c.PluginID, Muted: c.Muted, Authors: authors}
	if c.Scope != nil {
		f.Scope = c.Scope.Family + ":" + c.Scope.ID
	}
	if content != nil {
		f.Title, f.Text, f.Authors = content.Title, content.Text, content.AuthorIDs
		for _, l := range likeness.LinksOfContent(*content) {
			f.Links = append(f.Links, l.URL)
		}
	}
	var all []signal.Scored
	for _, s := range signals {
		all = signal.Merge(all, s.Scored()...)
	}
	for _, one := range all {
		if f.Signals == nil {
			f.Signals = map[string]float64{}
		}
		f.Signals[one.Name] = max(f.Signals[one.Name], one.Score)
	}
	return f
}

// known encodes what was known before the filing. It contains no texts.
func (f *Facts) known() json.RawMessage {
	encoded, _ := json.Marshal(f) // numbers and names of reasons
	return encoded
}

// Recall sets what was known before the filing, from the stored record of its report.
func (f *Facts) Recall(record string) error {
	var s storedFiling
	err := json.Unmarshal([]byte(record), &s)
	if err == nil {
		f.Reasons = nil // otherwise those of the record would be added
		err = json.Unmarshal(s.Known, f)
	}
	if err != nil {
		return fmt.Errorf("read the record of a report: %w", err)
	}
	return nil
}

// A variable is a fact under the name that rules use.
type variable struct {
	name string
	kind *cel.Type
	of   func(*Facts) any
	// The maximum size, to bound the cost of a rule: the code points of a string, or the number of elements of a list
	// or map and the code points of each.
	size, each uint64
}

// The largest sizes of facts that have no other limit. Further authors are ignored.
const (
	maxID      = 256
	maxAuthors = 50
	maxLink    = 8192
	maxSignals = 400
)

var variables = []variable{
	{"reason", cel.StringType, func(f *Facts) any { return f.Reason }, maxID, 0},
	{"locale", cel.StringType, func(f *Facts) any { return f.Locale }, maxID, 0},
	{"type", cel.StringType, func(f *Facts) any { return f.Type }, maxID, 0},
	{"plugin", cel.StringType, func(f *Facts) any { return f.Plugin }, maxID, 0},
	{"scope", cel.StringType, func(f *Facts) any { return f.Scope }, maxID, 0},
	{"title", cel.StringType, func(f *Facts) any { return f.Title }, snapshot.MaxText, 0},
	{"text", cel.StringType, func(f *Facts) any { return f.Text }, snapshot.MaxText, 0},
	{"links", cel.ListType(cel.StringType), func(f *Facts) any { return f.Links }, likeness.MaxLinks, maxLink},
	{"authors", cel.ListType(cel.StringType), func(f *Facts) any { return f.Authors[:min(len(f.Authors), maxAuthors)] }, maxAuthors, maxID},
	{"reporters", cel.IntType, func(f *Facts) any { return f.Reporters }, 0, 0},
	{"reasons", cel.MapType(cel.StringType, cel.IntType), func(f *Facts) any { return f.Reasons }, uint64(len(report.Reasons)), maxID},
	{"reporter.upheld", cel.IntType, func(f *Facts) any { return f.ReporterUpheld }, 0, 0},
	{"reporter.rejected", cel.IntType, func(f *Facts) any { return f.ReporterRejected }, 0, 0},
	{"author.upheld", cel.IntType, func(f *Facts) any { return f.AuthorUpheld }, 0, 0},
	{"author.strikes", cel.IntType, func(f *Facts) any { return f.AuthorStrikes }, 0, 0},
	{"muted", cel.BoolType, func(f *Facts) any { return f.Muted }, 0, 0},
	{"signals", cel.MapType(cel.StringType, cel.DoubleType), func(f *Facts) any { return f.Signals }, maxSignals, maxID},
}

// Name describes a fact for an editor of rules.
type Name struct {
	Name string `json:"name"`
	Type string `json:"type"` // as CEL writes it, such as list(string)
}

// Names lists the facts that a rule can name.
func Names() []Name {
	return domain.Map(variables, func(v variable) Name { return Name{v.name, v.kind.String()} })
}

// ResolveName implements cel.Activation.
func (f *Facts) ResolveName(name string) (any, bool) {
	for i := range variables {
		if variables[i].name == name {
			return variables[i].of(f), true
		}
	}
	return nil, false
}

// Parent implements cel.Activation.
func (f *Facts) Parent() cel.Activation { return nil }
