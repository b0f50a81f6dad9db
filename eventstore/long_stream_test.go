package eventstore_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// peak returns by how many bytes the live heap grows at most while work runs.
func peak(t *testing.T, work func() error) (most uint64) {
	t.Helper()
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	done := make(chan error, 1)
	go func() { done <- work() }()
	for {
		if now := live(); now > before {
			most = max(most, now-before)
		}
		select {
		case err := <-done:
			require.NoError(t, err)
			return most
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Given a note of 60 KB with 120 edits, then whatever reads the whole report holds a few of
// its texts at a time. It does not run beside other tests, which take memory too.
func TestALongReportIsReadInPieces(t *testing.T) {
	const edits, size, few = 120, 60_000, 3 << 20
	d := logtest.New(t)
	id, note := d.File(t, 0, "1"), uuid.NewString()
	d.Note(t, id, 1, note)
	body := []byte(`"` + strings.Repeat("x", size) + `"`)
	for range edits {
		d.Wait(3 * time.Second)
		_, err := d.Store.Update(t.Context(), moderation.Ref{ReportID: id, NoteID: note}, &d.Users[1], decide(func(report.State) ([]report.Fact, error) {
			return []report.Fact{&report.NoteUpdated{NoteID: note, Kind: report.TextNote, Words: report.NoteWords{Body: body}}}, nil
		}))
		require.NoError(t, err)
	}
	d.Seal(t)

	for _, reader := range []struct {
		name string
		read func(ctx context.Context) error
	}{
		{"audit verify", func(ctx context.Context) error {
			audited, err := (&proof.Auditor{Pool: d.Pool, Sealer: eventstore.NewSealer(d.Pool, zerolog.Nop(), func(int64) {}), Keys: []string{d.Key.Public}}).Verify(ctx)
			require.Zero(t, audited.Findings)
			return err
		}},
		{"projections verify", func(ctx context.Context) error {
			verified, err := projections.Inline{}.Verify(ctx, d.Pool, projector.Options{})
			require.Zero(t, verified.Wrong)
			return err
		}},
		{"replay", func(ctx context.Context) error {
			return eventstore.EachEvent(ctx, d.Pool, id, moderation.NewReplay(moderation.Moment{}, true).Add)
		}},
		{"erase", func(ctx context.Context) error {
			_, err := d.Store.Erase(ctx, id, nil, report.EveryWord)
			return err
		}},
	} {
		require.Less(t, peak(t, func() error { return reader.read(t.Context()) }), uint64(few), reader.name)
	}
}
