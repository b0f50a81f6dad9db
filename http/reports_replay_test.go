package http_test

import (
	"context"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
)

// note is a note of a replay: its text, null, and whether it is withheld or erased.
type replayedNote struct {
	text             any
	withheld, erased bool
}

func replayedNotes(a *answer) (notes []replayedNote) {
	for _, n := range a.status(nethttp.StatusOK).body["notes"].([]any) {
		note := n.(map[string]any)
		notes = append(notes, replayedNote{note["body"], note["withheld"] == true, note["erased"] == true})
	}
	return notes
}

func TestReplayShowsFormerTextsToAuditorsAlone(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo, auditor := b.moderator("Mo", nil, everyPermission...), b.auditor()
	id := b.file(0, "1") // 1
	path := "/moderation/reports/" + id
	add := func(text string) string {
		return mo.post(path+"/notes", map[string]any{"body": text}).status(201).body["note"].(map[string]any)["id"].(string)
	}
	kept, edited, deleted := add("kept"), add("first"), add("deleted")                               // 2 to 4
	mo.post(path+"/notes/"+edited+"/edit", map[string]any{"body": "second"}).status(200)             // 5
	mo.do(nethttp.MethodPost, path+"/notes/"+deleted+"/delete", "application/json", nil).status(200) // 6
	mo.post(path+"/notes/"+edited+"/edit", map[string]any{"body": "third"}).status(200)              // 7
	_ = kept

	for _, c := range []struct {
		sequence           string
		moderator, auditor []replayedNote
	}{
		{"1", nil, nil},
		{"4", []replayedNote{{"kept", false, false}, {nil, true, false}, {nil, true, false}}, []replayedNote{{"kept", false, false}, {"first", false, false}, {"deleted", false, false}}},
		{"5", []replayedNote{{"kept", false, false}, {nil, true, false}, {nil, true, false}}, []replayedNote{{"kept", false, false}, {"second", false, false}, {"deleted", false, false}}},
		{"7", []replayedNote{{"kept", false, false}, {"third", false, false}, {nil, false, false}}, []replayedNote{{"kept", false, false}, {"third", false, false}, {nil, false, false}}},
	} {
		require.Equal(t, c.moderator, replayedNotes(mo.get(path+"/replay?sequence="+c.sequence)), c.sequence)
		require.Equal(t, c.auditor, replayedNotes(auditor.get(path+"/replay?sequence="+c.sequence)), c.sequence)
	}

	// What is erased is withheld from nobody: it is gone.
	_, err := b.log().Erase(t.Context(), id, nil, report.EveryWord)
	require.NoError(t, err)
	gone := []replayedNote{{nil, false, true}, {nil, false, true}, {nil, false, true}}
	require.Equal(t, gone, replayedNotes(mo.get(path+"/replay?sequence=4")))
	require.Equal(t, gone, replayedNotes(auditor.get(path+"/replay?sequence=4")))
}

// arrivals reports, by closing all, that so many requests have been authenticated.
type arrivals struct {
	http.Authenticator
	missing atomic.Int32
	all     chan struct{}
}

func (a *arrivals) Authenticate(ctx context.Context, c account.Credentials) (*permission.Caller, error) {
	caller, err := a.Authenticator.Authenticate(ctx, c)
	if a.missing.Add(-1) == 0 {
		close(a.all)
	}
	return caller, err
}

// Given many replays of a long report at once, then a few of them are worked on at a time,
// none of them reads the texts of the notes beside the events, and each answer is whole.
func TestManyReplaysOfALongReportAtOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo, auditor := b.moderator("Mo", nil, everyPermission...), b.auditor()
	path := "/moderation/reports/" + b.file(0, "1")
	text := strings.Repeat("x", 2000)
	for range 25 {
		mo.post(path+"/notes", map[string]any{"body": text}).status(201)
	}
	answers := make([]*answer, 4*http.ReplaysAtOnce()+4)
	arrived := &arrivals{Authenticator: b.accounts, all: make(chan struct{})}
	arrived.missing.Store(int32(len(answers)))
	var working, most, texts atomic.Int32
	b.server = httptest.NewServer(http.New(http.Config{BaseURL: &url.URL{Scheme: "http", Host: "docket.test"}, Log: zerolog.Nop(), Authenticator: arrived}, &http.Replay{
		Names: b.accounts.Names,
		Events: func(ctx context.Context, id string, each func(report.Event)) error {
			now := working.Add(1)
			defer working.Add(-1)
			for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
			}
			<-arrived.all
			return eventstore.EachEvent(ctx, b.pool, id, func(e report.Event) {
				if note, ok := e.Fact.(*report.NoteAdded); ok && note.Words.Body != nil {
					texts.Add(1)
				}
				each(e)
			})
		},
		Texts: func(ctx context.Context, id string, sequences []int, each func(report.Event) error) error {
			return eventstore.EachText(ctx, b.pool, id, sequences, each)
		},
	}))
	t.Cleanup(b.server.Close)

	var readers sync.WaitGroup
	for i := range answers {
		readers.Go(func() { answers[i] = auditor.get(path + "/replay") })
	}
	readers.Wait()
	for _, a := range answers {
		notes := replayedNotes(a)
		require.Len(t, notes, 25)
		require.Equal(t, text, notes[24].text)
	}
	require.LessOrEqual(t, int(most.Load()), http.ReplaysAtOnce())
	require.Zero(t, texts.Load())
}
