package hold_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/hold"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	holds "github.com/docketmod/docket/platform/hold"
	"github.com/docketmod/docket/projections/cases"
)

const issuer = "https://members.test"

// bundle is a log and a store of holds by the clock of the database.
type bundle struct {
	*logtest.Database
	holds *holds.Store
}

func newBundle(t *testing.T) *bundle {
	t.Helper()
	d := logtest.New(t)
	d.Wait(time.Since(d.Clock()))
	l := ledger.Ledger{Signer: d.Key, Now: d.Clock}
	require.NoError(t, l.Begin(t.Context(), d.Pool, holds.Ledger))
	return &bundle{d, holds.New(d.Pool, l, issuer)}
}

// filed is a report of content by authors as the plugin names them.
func (b *bundle) filed(t *testing.T, plugin string, authors ...string) string {
	t.Helper()
	var named []string
	for _, id := range authors {
		named = append(named, fmt.Sprintf(`{"id":%q,"name":"A name"}`, id))
	}
	s, err := b.Store.File(t.Context(), moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: plugin, Type: plugin + ".post", ID: uuid.NewString(), PermissionModule: "posts"},
		Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: b.Users[0],
		Words: report.CreatedWords{ReporterName: "User", Title: "A title", Snapshot: fmt.Appendf(nil, `{"version":1,"title":"A title","fields":[],"authors":[%s]}`, strings.Join(named, ","))},
	}})
	require.NoError(t, err)
	return s.ID
}

func (b *bundle) set(t *testing.T, c hold.Content) holds.Listed {
	t.Helper()
	c.Basis, c.Reference, c.Until = "A claim", "4 O 12/26", b.Clock().Add(time.Hour).Truncate(time.Microsecond)
	h, err := b.holds.Set(t.Context(), b.Users[1], c)
	require.NoError(t, err)
	return h
}

func (b *bundle) erase(t *testing.T, id string) error {
	t.Helper()
	_, err := b.Store.Erase(t.Context(), id, nil, report.EveryWord)
	return err
}

func requireHeld(t *testing.T, err error) {
	t.Helper()
	require.Equal(t, domain.CodeHeld, domain.ErrorCode(err), "%v", err)
}

func TestAHoldEndsByItself(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	id := b.Worked(t, 0, "1")
	b.Wait(-2 * time.Hour)
	b.set(t, hold.Content{Reports: []string{id}}) // which has ended by the clock of the database
	b.Wait(-time.Minute)                          // and not by that of a server

	require.NoError(t, b.erase(t, id))
	require.Empty(t, b.audit(t), "an erasure is never said to be from before the end")
}

func TestAHoldOfAnAuthor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		author func(*bundle) measure.Author
		held   []string // plugin:id
		free   []string
	}{
		"by the account":                       {func(b *bundle) measure.Author { return measure.Author{ID: b.Users[3]} }, []string{"forum:ada", "shop:42", "forum:ACCOUNT"}, []string{"forum:42", "forum:bob"}},
		"by the id of the site":                {func(*bundle) measure.Author { return measure.Author{ID: "ada"} }, []string{"forum:ada", "shop:42", "forum:ACCOUNT"}, []string{"forum:42"}},
		"by the id that a plugin knows":        {func(*bundle) measure.Author { return measure.Author{PluginID: "shop", ID: "42"} }, []string{"forum:ada", "shop:42"}, []string{"forum:42"}},
		"by an id of any plugin":               {func(*bundle) measure.Author { return measure.Author{ID: "42"} }, []string{"forum:42", "shop:42"}, []string{"forum:ada"}},
		"somebody without an account, by name": {func(*bundle) measure.Author { return measure.Author{PluginID: "forum", ID: "bob"} }, []string{"forum:bob"}, []string{"shop:bob", "forum:ada"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t)
			b.SQL(t, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at) VALUES ($1, 'ada', $2, now()), ('plugin:shop', '42', $2, now())`, issuer, b.Users[3])
			file := func(author string) string {
				plugin, id, _ := strings.Cut(strings.ReplaceAll(author, "ACCOUNT", b.Users[3]), ":")
				return b.filed(t, plugin, id)
			}
			before := file(c.held[0])
			b.set(t, hold.Content{Author: new(c.author(b))})
			requireHeld(t, b.erase(t, before))
			_, err := b.Pool.Exec(t.Context(), `UPDATE core_moderation_report_events SET evidence = NULL WHERE report_id = $1`, before)
			require.ErrorContains(t, err, "legal hold", "nor by SQL")
			for _, author := range c.held {
				requireHeld(t, b.erase(t, file(author)))
			}
			for _, author := range c.free {
				require.NoError(t, b.erase(t, file(author)), author)
			}
			require.Empty(t, b.audit(t))
		})
	}
}

// Given erasures and a hold at the same moment, then either an erasure came first, or the words stay.
func TestAHoldBesideErasures(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var ids []string
	for i := range 12 {
		ids = append(ids, b.Worked(t, 0, fmt.Sprint(i)))
	}
	slices.Sort(ids)
	var erasing sync.WaitGroup
	errs := make([]error, len(ids))
	for i, id := range ids {
		erasing.Go(func() { _, errs[i] = b.Store.Erase(t.Context(), id, nil, report.EveryWord) })
	}
	b.set(t, hold.Content{Reports: ids})
	left := func() []string {
		return pgtest.All[string](t, b.Pool, `SELECT DISTINCT report_id::text FROM core_moderation_report_events WHERE evidence IS NOT NULL ORDER BY 1`)
	}
	held := left()
	erasing.Wait()

	require.Equal(t, held, left(), "nothing is gone that was there when the hold was set")
	for i, id := range ids {
		if slices.Contains(held, id) {
			requireHeld(t, errs[i])
		} else {
			require.NoError(t, errs[i])
		}
	}
	require.Empty(t, b.audit(t))
}

func TestWhoseAccountIsHeld(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	id, authored := b.Worked(t, 0, "1"), b.filed(t, "forum", "ada")
	b.SQL(t, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at) VALUES ($1, 'ada', $2, now())`, issuer, b.Users[3])
	deletable := func(user int) error {
		return pgx.BeginFunc(t.Context(), b.Pool, func(tx pgx.Tx) error { return b.holds.AllowAccountDeletion(t.Context(), tx, b.Users[user]) })
	}
	for user := range b.Users {
		require.NoError(t, deletable(user))
	}
	lift := func(h holds.Listed) {
		_, err := b.holds.Lift(t.Context(), b.Users[3], h.ID)
		require.NoError(t, err)
	}
	named := b.set(t, hold.Content{Reports: []string{id}})
	requireHeld(t, deletable(0)) // filed it
	requireHeld(t, deletable(1)) // wrote in it
	require.ErrorContains(t, deletable(1), "held until "+named.Until.UTC().Format(time.RFC3339))
	require.NotContains(t, deletable(1).Error(), named.Basis, "not why")
	require.NoError(t, deletable(3))
	lift(named)
	content := b.set(t, hold.Content{Reports: []string{authored}})
	requireHeld(t, deletable(3))
	require.NoError(t, deletable(1))
	lift(content)
	later := b.set(t, hold.Content{Author: &measure.Author{PluginID: "shop", ID: "77"}})
	require.NoError(t, deletable(2))
	b.SQL(t, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at) VALUES ('plugin:shop', '77', $1, now())`, b.Users[2])
	requireHeld(t, deletable(2)) // whose account the held id became
	lift(later)
	account := b.set(t, hold.Content{Author: &measure.Author{PluginID: "forum", ID: "ada"}})
	requireHeld(t, deletable(3))
	requireHeld(t, deletable(0)) // reported their content
	lift(account)
	joint := b.filed(t, "forum", "bob", "ada")
	b.Follow(t, cases.Projection)
	coauthor := b.set(t, hold.Content{Author: &measure.Author{PluginID: "forum", ID: "bob"}})
	requireHeld(t, deletable(3)) // wrote with bob what is held
	b.Resolve(t, joint, 1, report.ActionTaken)
	b.Follow(t, cases.Projection)
	requireHeld(t, deletable(3))
	require.NoError(t, deletable(2))
	lift(coauthor)
	for user := range b.Users {
		require.NoError(t, deletable(user))
	}
}

func TestTheListOfHolds(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	id := b.filed(t, "forum", "ada")
	first := b.set(t, hold.Content{Reports: []string{id}})
	b.Wait(time.Second)
	second := b.set(t, hold.Content{Author: &measure.Author{ID: "ada"}})
	b.Wait(time.Second)
	other := b.set(t, hold.Content{Reports: []string{b.filed(t, "forum", "bob")}})
	_, err := b.holds.Lift(t.Context(), b.Users[2], second.ID)
	require.NoError(t, err)
	list := func(f holds.Filter) (ids []string) {
		r, err := holds.List.Parse(nil)
		require.NoError(t, err)
		page, err := b.holds.List(t.Context(), f, r)
		require.NoError(t, err)
		ids = append(ids, paging.Map(page, func(h holds.Listed) string { return h.ID }).Edges...)
		return ids
	}
	require.Equal(t, []string{other.ID, second.ID, first.ID}, list(holds.Filter{}))
	require.Equal(t, []string{second.ID, first.ID}, list(holds.Filter{Report: id}))
	require.Equal(t, []string{first.ID}, list(holds.Filter{Report: id, Status: hold.Standing}))
	require.Equal(t, []string{second.ID}, list(holds.Filter{Status: hold.Lifted}))
	b.Wait(2 * time.Hour)
	require.Equal(t, []string{other.ID, first.ID}, list(holds.Filter{Status: hold.Ended}))
}

func (b *bundle) audit(t *testing.T) []string {
	t.Helper()
	return logtest.Audit(t, b.Pool, b.Key, holds.Ledger)
}

func TestTheAuditNamesWhatAHoldForbade(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		breach string // by SQL, of the hold $1
		holds  func(*bundle) hold.Content
	}{
		"the hold was deleted":        {`DELETE FROM core_holds WHERE id = $1`, nil},
		"it ended too soon":           {`UPDATE core_holds SET until = set_at WHERE id = $1`, nil},
		"it was lifted by nobody":     {`UPDATE core_holds SET lifted_at = set_at WHERE id = $1`, nil},
		"the report was taken out":    {`UPDATE core_holds SET reports = ARRAY[$1::text] WHERE id = $1`, nil},
		"the author was another":      {`UPDATE core_holds SET authors = ARRAY[$1::text] WHERE id = $1`, func(*bundle) hold.Content { return hold.Content{Author: &measure.Author{ID: "ada"}} }},
		"the author's hold was ended": {`UPDATE core_holds SET until = set_at WHERE id = $1`, func(*bundle) hold.Content { return hold.Content{Author: &measure.Author{ID: "ada"}} }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t)
			id := b.filed(t, "forum", "ada")
			content := hold.Content{Reports: []string{id}}
			if c.holds != nil {
				content = c.holds(b)
			}
			h := b.set(t, content)
			b.Wait(time.Minute)
			tx := pgtest.Begin(t, b.Pool)
			pgtest.Exec(t, tx, `CREATE TABLE was AS SELECT * FROM core_holds`)
			pgtest.Exec(t, tx, c.breach, h.ID)
			require.NoError(t, tx.Commit(t.Context()))
			require.NoError(t, b.erase(t, id))
			found := b.audit(t)
			require.Len(t, found, 2, "the row, and the erasure")
			require.Contains(t, strings.Join(found, "\n"), fmt.Sprintf("report %s, sequence 2: it erases the words of sequences 1 under the legal hold %s", id, h.ID))

			b.SQL(t, `DELETE FROM core_holds; INSERT INTO core_holds SELECT * FROM was; DROP TABLE was`)
			require.Len(t, b.audit(t), 1, "the erasure, also when the hold is as it was")
		})
	}
}

func TestTheAuditNamesEachChangeOfAHoldBySQL(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	id := b.filed(t, "forum", "ada")
	h := b.set(t, hold.Content{Reports: []string{id}})
	b.set(t, hold.Content{Author: &measure.Author{PluginID: "forum", ID: "ada"}})
	_, err := b.holds.Lift(t.Context(), b.Users[2], h.ID)
	require.NoError(t, err)
	require.Empty(t, b.audit(t))
	for _, change := range []string{`reports = reports || 'x'::text WHERE reports IS NOT NULL`, `author_id = 'x' WHERE author_id IS NOT NULL`, `plugin_id = plugin_id || 'x'`, `authors = authors || 'x'::text WHERE authors IS NOT NULL`, `basis = 'x'`, `reference = 'x'`,
		`until = until + interval '1 day'`, `set_by = lifted_by WHERE lifted_by IS NOT NULL`, `set_at = now()`, `lifted_by = NULL`, `lifted_at = NULL`} {
		tx := pgtest.Begin(t, b.Pool)
		pgtest.Exec(t, tx, `CREATE TABLE was AS SELECT * FROM core_holds; UPDATE core_holds SET `+change)
		require.NoError(t, tx.Commit(t.Context()))
		require.NotEmpty(t, b.audit(t), change)
		pgtest.Exec(t, b.Pool, `DELETE FROM core_holds; INSERT INTO core_holds SELECT * FROM was; DROP TABLE was`)
		require.Empty(t, b.audit(t), change)
	}
	// An account that goes is no change by hand.
	for _, user := range []int{1, 2} {
		b.SQL(t, `DELETE FROM core_users WHERE id = $1`, b.Users[user])
	}
	require.Empty(t, b.audit(t))
	found, err := b.holds.Find(t.Context(), h.ID)
	require.NoError(t, err)
	require.Empty(t, found.SetBy+found.SetByName+found.LiftedBy+found.LiftedByName)
}
