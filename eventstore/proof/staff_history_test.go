package proof_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/policy"
	"github.com/docketmod/docket/platform/staff"
)

// upgraded is a database in which servers of the release before work beside those of this one.
type upgraded struct {
	*logtest.Database
	t     *testing.T
	entry string // a moderator's
}

var proven = []*ledger.Table{staff.Ledger, policy.Ledger}

func newUpgraded(t *testing.T) *upgraded {
	u := &upgraded{logtest.New(t), t, uuid.NewString()}
	u.before(`INSERT INTO core_staff_entries (id, kind, user_id, created_at, updated_at) VALUES ($1, 'moderator', $2, now(), now())`, u.entry, u.Users[0])
	return u
}

// before changes entries as a server of the release before does.
func (u *upgraded) before(sql string, args ...any) {
	u.t.Helper()
	require.NoError(u.t, pgx.BeginFunc(u.t.Context(), u.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(u.t.Context(), sql, args...); err != nil {
			return err
		}
		return proof.SealStaff(u.t.Context(), tx, u.Key)
	}))
}

func (u *upgraded) ledger() ledger.Ledger { return ledger.Ledger{Signer: u.Key, Now: time.Now} }

func (u *upgraded) begin() {
	u.t.Helper()
	require.NoError(u.t, u.ledger().Begin(u.t.Context(), u.Pool, proven...))
}

func (u *upgraded) audit() (audited proof.Audited, found, noted string) {
	u.t.Helper()
	a := &proof.Auditor{Pool: u.Pool, Sealer: newSealer(u.Pool), Keys: []string{u.Key.Public}, Tables: proven, Workers: 1,
		Found: func(f proof.Finding) { found += f.String() + "\n" }, Noted: func(line string) { noted += line + "\n" }}
	audited, err := a.Verify(u.t.Context())
	require.NoError(u.t, err)
	return audited, found, noted
}

func TestTheHistoryOfEarlierReleasesStillVerifies(t *testing.T) {
	t.Parallel()
	u := newUpgraded(t)
	u.before(`UPDATE core_staff_entries SET permissions = '[{"plugin": "forum"}]' WHERE id = $1`, u.entry)
	_, found, _ := u.audit()
	require.Empty(t, found, "also before the ledger has begun")
	u.begin()
	audited, found, noted := u.audit()
	require.Empty(t, found)
	require.Empty(t, noted)
	require.Zero(t, audited.Inherited)

	u.SQL(t, `ALTER TABLE core_staff_history DISABLE TRIGGER ALL`)
	u.SQL(t, `UPDATE core_staff_history SET user_id = $1 WHERE action = 'updated'`, u.Users[1])
	_, found, _ = u.audit()
	require.Contains(t, found, "staff history, change 2: its content does not match its hash")
}

// The ledger begins with what the tables hold, and that is held to what earlier releases sealed.
func TestNobodyBringsAChangeIntoTheLedgerByItsBeginning(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ sql, found, noted string }{
		"another account":   {`UPDATE core_staff_entries SET user_id = $2 WHERE id = $1`, "(staff entry ID): the ledger began with it, and change 1 of the staff history left it otherwise", ""},
		"another kind":      {`UPDATE core_staff_entries SET kind = 'admin' WHERE id = $1 AND user_id <> $2`, "(staff entry ID): the ledger began with it, and change 1 of the staff history left it otherwise", ""},
		"root":              {`UPDATE core_staff_entries SET unrestricted = true WHERE id = $1 AND user_id <> $2`, "(staff entry ID): the ledger began with it, and change 1 of the staff history left it otherwise", ""},
		"gone":              {`DELETE FROM core_staff_entries WHERE id = $1 AND user_id <> $2`, "staff entry ID: it was gone when the ledger began, and change 1 of the staff history left it", ""},
		"before every seal": {`INSERT INTO core_staff_entries (id, kind, user_id, created_at, updated_at) VALUES (overlay($1 placing '00000000' from 1)::uuid, 'admin', $2, now(), now())`, "", ": it stood when the ledger began, and no server had signed it: {"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUpgraded(t)
			u.SQL(t, `ALTER TABLE core_staff_entries DISABLE TRIGGER keep_history`)
			u.SQL(t, c.sql, u.entry, u.Users[1])
			u.begin()
			_, found, noted := u.audit()
			require.Contains(t, found, strings.Replace(c.found, "ID", u.entry, 1))
			require.Contains(t, noted, c.noted)
			require.Equal(t, c.found == "", found == "")
		})
	}
}

// While servers of the release before still run, what they change is neither a finding nor
// trusted in silence.
func TestWhatAServerOfTheReleaseBeforeChangesIsNamedUntilItIsAdopted(t *testing.T) {
	t.Parallel()
	u := newUpgraded(t)
	u.begin()
	u.before(`UPDATE core_staff_entries SET unrestricted = true WHERE id = $1`, u.entry)
	_, found, noted := u.audit()
	require.Empty(t, found)
	require.Contains(t, noted, "staff entry "+u.entry+": unrestricted is true, and false is signed. A server of the release before made it, by the operator on ")

	// It signs no policies, so that one is found until an administrator adopts it.
	u.SQL(t, `INSERT INTO core_policies (id, key, version, title, text, published_at) VALUES (gen_random_uuid(), 'spam', 1, 'Spam', '{}', now())`)
	_, found, _ = u.audit()
	require.Contains(t, found, "policy spam/1: the table has it, and no server signed it: {")
	adopted, err := u.ledger().Adopt(t.Context(), u.Pool, []ledger.Subject{{Kind: "policy", Key: "spam/1"}}, proven...)
	require.NoError(t, err)
	require.Len(t, adopted, 1)
	_, err = u.ledger().Adopt(t.Context(), u.Pool, nil, proven...)
	require.NoError(t, err)
	audited, found, noted := u.audit()
	require.Empty(t, found)
	require.Equal(t, 2, strings.Count(noted, "adopted by the operator on "))
	require.EqualValues(t, 2, audited.Adoptions)

	// What the former server once had signed does not cover what somebody restores by hand.
	u.SQL(t, `UPDATE core_staff_entries SET unrestricted = false WHERE id = $1`, u.entry)
	_, found, _ = u.audit()
	require.Contains(t, found, "staff entry "+u.entry+": unrestricted is false, and true is signed")
}
