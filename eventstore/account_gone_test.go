package eventstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
)

// Deleting an account ends its sessions first, but a request that was let in
// before may still be under way.
func TestACommandOfAnAccountThatIsGoneMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	filed := b.file(t, b.users(t, 1)[0], "1")
	gone := uuid.Must(uuid.NewV7()).String()
	for name, decide := range map[string]moderation.Decide{
		"claims":   claim(gone, 1),
		"resolves": resolve(1),
		"notes": func(context.Context, pgx.Tx, moderation.Loaded) (moderation.Change, error) {
			body := report.NoteBody{Kind: report.TextNote, JSON: []byte(`"a note"`)}
			return moderation.Change{Facts: report.DecideAddNote(uuid.NewString(), body)}, nil
		},
	} {
		_, err := b.store.Update(context.Background(), moderation.Ref{ReportID: filed.ID}, &gone, decide)
		require.ErrorIs(t, err, moderation.ErrAccountGone, name)
	}
	_, err := b.store.File(context.Background(), filing(gone, "2"))
	require.ErrorIs(t, err, moderation.ErrAccountGone, "files")
}

func TestAnAppealOfAnAccountThatIsGoneMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	people := b.users(t, 3)
	filed := b.file(t, people[0], "1")
	gone := uuid.Must(uuid.NewV7()).String()
	as := func(user string, d func(report.State) ([]report.Fact, error)) error {
		_, err := b.store.Update(context.Background(), moderation.Ref{ReportID: filed.ID}, &user, decide(d))
		return err
	}
	appeal := func(s report.State) ([]report.Fact, error) {
		return report.DecideAppeal(s, report.Author, uuid.NewString(), "It is wrong.", time.Now())
	}
	require.NoError(t, as(people[1], func(s report.State) ([]report.Fact, error) {
		return report.DecideResolve(s, people[1], report.Resolve{Resolution: report.ActionTaken, AppealFor: time.Hour}, s.Version)
	}))

	require.ErrorIs(t, as(gone, appeal), moderation.ErrAccountGone, "appeals")
	require.NoError(t, as(people[2], appeal))
	require.ErrorIs(t, as(gone, decideAppeal(gone, false)), moderation.ErrAccountGone, "upholds")
	require.ErrorIs(t, as(gone, decideAppeal(gone, true)), moderation.ErrAccountGone, "overturns")
	require.NoError(t, as(people[0], decideAppeal(people[0], false)), "the appeal is still open")
}
