package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

func anybody(context.Context, pgx.Tx) error { return nil }

func TestEachMarkOfATrustedFlaggerIsInTheLedger(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := logtest.NewKey(t)
	b.ledger.Signer = key
	require.NoError(t, b.ledger.Begin(t.Context(), b.pool, FlaggerLedger))
	admin, flagger, other := b.user(t, "admin@example.test"), b.user(t, "ada@example.test"), b.user(t, "bob@example.test")
	mark := func(userID, name string) (User, error) {
		return b.SetFlagger(t.Context(), admin.ID, userID, name, anybody)
	}
	actions := func() []string {
		return pgtest.All[string](t, b.pool, `SELECT action FROM core_ledger WHERE kind = 'trusted_flagger' AND actor_id = $1 ORDER BY position`, admin.ID)
	}

	marked, err := mark(flagger.ID, "  Hotline  ")
	require.NoError(t, err)
	require.Equal(t, "Hotline", marked.Flagger)
	for _, name := range []string{"Hotline", "Another hotline", ""} {
		marked, err = mark(strings.ToUpper(flagger.ID), name)
		require.NoError(t, err)
		require.Equal(t, name, marked.Flagger)
	}
	marked, err = mark(flagger.ID, "")
	require.NoError(t, err)
	require.Empty(t, marked.Flagger)
	require.Equal(t, []string{"created", "updated", "deleted"}, actions(), "what changes nothing is not recorded")
	require.Empty(t, pgtest.One[string](t, b.pool, `SELECT coalesce(string_agg(convert_from(payload, 'UTF8'), ''), '') FROM core_ledger WHERE convert_from(payload, 'UTF8') LIKE '%otline%'`), "only its hash is")

	for _, unknown := range []string{uuid.NewString(), "nobody", ""} {
		_, err = mark(unknown, "Hotline")
		require.ErrorIs(t, err, domain.NotFound())
	}
	refused := errors.New("the right was lost meanwhile")
	_, err = b.SetFlagger(t.Context(), admin.ID, flagger.ID, "Hotline", func(context.Context, pgx.Tx) error { return refused })
	require.ErrorIs(t, err, refused)
	require.Len(t, actions(), 3)

	// What is changed by hand is named, and no account that goes is a change by hand.
	audit := func() []string { return logtest.Audit(t, b.pool, key, FlaggerLedger) }
	_, err = mark(flagger.ID, "Hotline")
	require.NoError(t, err)
	require.Empty(t, audit())
	for _, change := range []string{`UPDATE core_trusted_flaggers SET name = 'Another'`, `UPDATE core_trusted_flaggers SET marked_at = now()`, `UPDATE core_trusted_flaggers SET marked_by = user_id`,
		`UPDATE core_trusted_flaggers SET marked_by = NULL`, `UPDATE core_trusted_flaggers SET user_id = '` + other.ID + `'`, `DELETE FROM core_trusted_flaggers`,
		`INSERT INTO core_trusted_flaggers SELECT id, name, NULL, now() FROM core_users WHERE id = '` + other.ID + `'`} {
		tx := pgtest.Begin(t, b.pool)
		pgtest.Exec(t, tx, `CREATE TABLE was AS SELECT * FROM core_trusted_flaggers; `+change)
		require.NoError(t, tx.Commit(t.Context()))
		require.NotEmpty(t, audit(), change)
		b.exec(t, `DELETE FROM core_trusted_flaggers; INSERT INTO core_trusted_flaggers SELECT * FROM was; DROP TABLE was`)
		require.Empty(t, audit(), change)
	}
	b.exec(t, `DELETE FROM core_users WHERE id = $1`, admin.ID)
	require.Empty(t, audit())
	tx := pgtest.Begin(t, b.pool)
	owned, err := ledger.Owned(t.Context(), tx, flagger.ID, FlaggerLedger)
	require.NoError(t, err)
	pgtest.Exec(t, tx, "DELETE FROM core_users WHERE id = $1", flagger.ID)
	require.NoError(t, b.ledger.Append(t.Context(), tx, "", owned...))
	require.NoError(t, tx.Commit(t.Context()))
	require.Empty(t, audit(), "the mark goes with the account")
	require.Zero(t, b.count(t, `SELECT count(*) FROM core_trusted_flaggers`))
}

func TestNamesOfTrustedFlaggers(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{"": "required", " \t": "required", "\u200b": "required", strings.Repeat("a", 201): "too_long", strings.Repeat("é", 200): "",
		"two\nlines": "invalid_text", "a\u202eb": "invalid_text", "Verbraucherschutz e.V.": "", " مركز الإبلاغ ": "", "' OR 1=1 --": "", "<script>": ""} {
		issues := CheckFlagger(name)
		if code == "" {
			require.Empty(t, issues, name)
			continue
		}
		require.Len(t, issues, 1, "%q", name)
		require.Equal(t, []string{"name", code}, []string{issues[0].Path, issues[0].Code}, "%q", name)
	}
}

// Given many changes at once of one account, each is recorded as it found the one before.
func TestMarksOfATrustedFlaggerRace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, flagger := b.user(t, "admin@example.test"), b.user(t, "ada@example.test")
	require.Equal(t, map[domain.Code]int{"": 20}, platformtest.Outcomes(20, func(i int) error {
		name := fmt.Sprint("Hotline ", i)
		if i%4 == 0 {
			name = ""
		}
		_, err := b.SetFlagger(context.Background(), admin.ID, flagger.ID, name, anybody)
		return err
	}))
	var f ledger.Fold
	require.NoError(t, ledger.Each(t.Context(), b.pool, func(r ledger.Record) error { f.Follow(r); return nil }))
	differences, err := f.Differences(t.Context(), b.pool, FlaggerLedger)
	require.NoError(t, err)
	require.Empty(t, differences)
}

// The mark counts from the next attempt on, and so does its end.
func TestATrustedFlaggerTriesMoreOften(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, flagger := b.user(t, "admin@example.test"), b.user(t, "ada@example.test")
	session := b.startSession(t, flagger.ID)
	attempt := func() report.Attempts {
		t.Helper()
		f := Filing{}
		b.caller(t, Credentials{SessionID: session.ID, Filing: &f})
		return f.Attempts
	}
	tried := func(n int) {
		b.exec(t, `UPDATE core_moderation_attempts SET attempts = $1`, n)
	}
	mark := func(name string) {
		_, err := b.SetFlagger(t.Context(), admin.ID, flagger.ID, name, anybody)
		require.NoError(t, err)
	}
	require.Empty(t, attempt().Flagger)
	tried(report.AttemptsPerHour)
	requireCode(t, domain.CodeRateLimited, attempt().Check(start))
	mark("Hotline")
	require.Equal(t, "Hotline", attempt().Flagger)
	tried(report.FlaggerFilingsPerHour - 1)
	require.NoError(t, attempt().Check(start))
	requireCode(t, domain.CodeRateLimited, attempt().Check(start))
	require.NoError(t, b.attemptToFile(t.Context(), b.user(t, "bob@example.test").ID), "nobody else's limit")
	tried(report.AttemptsPerHour)
	require.NoError(t, attempt().Check(start))
	mark("")
	requireCode(t, domain.CodeRateLimited, attempt().Check(start))
}
