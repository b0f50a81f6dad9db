// Package history generates long histories of reports for benchmarks, trials and tests: the events that commands would
// have appended, inserted by its own statements. Docket's rebuilds then project them. Other modules must not import it.
package history

import (
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
)

// History describes the events: ten for every three reports, which are filed, claimed, noted,
// resolved and in part reopened. Events of many reports alternate, as on a busy server.
type History struct {
	Reports    int
	Reporters  []string             // accounts
	Reporter   func(report int) int // index in Reporters; nil: in turn. None may report a target twice
	Moderators []string             // accounts
	Target     func(report int) report.Target
	Signer     eventstore.Signer // nil: the events are not signed
	Start      time.Time         // the first report is filed then
	Every      time.Duration     // between two filings; 0 means a second
	// Progress, if not nil, is called with the number of events appended and their total.
	Progress func(done, total int64)
}

// lives are the sequences of events of a report, which reports use in turn.
var lives = [][]report.Type{
	{report.CreatedType},
	{report.CreatedType, report.AssignedType},
	{report.CreatedType, report.AssignedType, report.NoteAddedType, report.ResolvedType},
	{report.CreatedType, report.AssignedType, report.NoteAddedType, report.ResolvedType},
	{report.CreatedType, report.AssignedType, report.NoteAddedType, report.ResolvedType},
	{report.CreatedType, report.AssignedType, report.NoteAddedType, report.ResolvedType, report.ReopenedType},
}

const (
	// maxEvents is the number of events in the longest of the lives.
	maxEvents = 5
	// eventGap is how many reports are filed between two events of one report.
	eventGap = 1000
	// partSize is how many reports are filed in one part.
	partSize = 2000
)

// parts is how many parts the history has.
func (h *History) parts() int { return (h.Reports + maxEvents*eventGap + partSize - 1) / partSize }

// events is how many events the history has.
func (h *History) events() (n int64) {
	for i, life := range lives {
		n += int64(len(life) * ((h.Reports + len(lives) - 1 - i) / len(lives)))
	}
	return n
}

// generator generates a history, part by part.
type generator struct {
	History
	streams map[int]*stream // those that have more events to come
}

type stream struct {
	contents report.Contents
	hash     []byte
}

func newGenerator(h History) *generator {
	if h.Every == 0 {
		h.Every = time.Second
	}
	if h.Reporter == nil {
		h.Reporter = func(i int) int { return i % len(h.Reporters) }
	}
	return &generator{History: h, streams: make(map[int]*stream, maxEvents*eventGap)}
}

// part returns the events of the n-th section of the history in time. Parts must be requested in
// order.
func (g *generator) part(n int) ([]eventstore.Record, error) {
	records := make([]eventstore.Record, 0, partSize*maxEvents)
	for at := n * partSize; at < (n+1)*partSize; at++ {
		for step := range maxEvents {
			i := at - step*eventGap
			if i < 0 || i >= g.Reports || step >= len(lives[i%len(lives)]) {
				continue
			}
			r, err := g.next(i, step, g.Start.Add(time.Duration(at)*g.Every))
			if err != nil {
				return nil, err
			}
			records = append(records, r)
		}
	}
	return records, g.sign(records)
}

// sign signs the records concurrently, since it takes longer than the rest of a part.
func (g *generator) sign(records []eventstore.Record) error {
	var all errgroup.Group
	size := len(records)/runtime.GOMAXPROCS(0) + 1
	for some := range slices.Chunk(records, size) {
		all.Go(func() error {
			for i := range some {
				if err := some[i].Sign(g.Signer); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all.Wait()
}

// next returns the next event of report i.
func (g *generator) next(i, step int, now time.Time) (eventstore.Record, error) {
	life := lives[i%len(lives)]
	s, ok := g.streams[i]
	if !ok {
		s = &stream{contents: report.Contents{State: report.State{ID: newID()}}, hash: eventstore.Genesis()}
		g.streams[i] = s
	}
	fact, actor := g.fact(i, life[step], s.contents.State)
	events, _ := report.Stamp(s.contents.State, []report.Fact{fact}, &actor, now, newID)
	r, err := eventstore.NewRecord(events[0], s.hash)
	if err != nil {
		return r, err
	}
	s.contents.Add(events[0])
	s.hash = r.Hash
	if step == len(life)-1 {
		delete(g.streams, i)
	}
	return r, nil
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// fact returns the next fact and its actor.
func (g *generator) fact(i int, t report.Type, s report.State) (report.Fact, string) {
	moderator := g.Moderators[i%len(g.Moderators)]
	switch t {
	case report.AssignedType:
		return &report.Assigned{AssigneeID: &moderator, PreviousAssigneeID: s.AssigneeID, Claimed: true}, moderator
	case report.NoteAddedType:
		return &report.NoteAdded{NoteID: newID(), Kind: report.TextNote, Words: report.NoteWords{Body: []byte(`"Same text as the others of this account."`)}}, moderator
	case report.ResolvedType:
		explanation := "Advertising."
		return &report.Resolved{Resolution: report.Resolutions[i%len(report.Resolutions)], Explained: true,
			Words: report.ResolvedWords{Explanation: &explanation}}, moderator
	case report.ReopenedType:
		reason := "The author has replied."
		return &report.Reopened{Reasoned: true, Words: report.ReopenedWords{Reason: &reason}}, moderator
	}
	reporter := g.Reporter(i)
	target := g.Target(i)
	title := fmt.Sprintf("Re. What happened to number %d?", i)
	body := fmt.Sprintf("<p>Post %s of those to report, visit us at %s.</p>", target.ID, hex.EncodeToString([]byte(target.ID)))
	description := fmt.Sprintf("Advertising again, for the %dth time.", i)
	snapshot := fmt.Sprintf(`{"version":1,"capturedAt":%q,"target":{"pluginId":%q,"type":%q,"id":%q},"title":%q,"fields":[`+
		`{"name":"title","label":"Title","kind":"text","value":%q},{"name":"body","label":"Text","kind":"richText","value":%q}],`+
		`"locale":{"requested":"en","served":"en","fallback":false},"source":{"version":"1","updatedAt":null,"publishedAt":null},`+
		`"authors":[{"id":%q,"name":"Somebody"}],"scope":null,"url":"/forum/posts/%s","truncated":false}`,
		g.Start.Format(time.RFC3339), target.PluginID, target.Type, target.ID, title, title, body, g.Reporters[(i+1)%len(g.Reporters)], target.ID)
	return &report.Created{Target: target, Locale: "en", RequestedLocale: "en", Reason: report.Reasons[i%len(report.Reasons)],
		ReporterID: g.Reporters[reporter], Words: report.CreatedWords{Description: &description, ReporterName: fmt.Sprint("Reporter ", reporter),
			Title: title, Excerpt: body, Snapshot: []byte(snapshot)}}, g.Reporters[reporter]
}
