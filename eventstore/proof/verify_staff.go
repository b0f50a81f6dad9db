package proof

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
)

// The releases before the ledger keep the changes of staff entries and mutes in
// core_staff_history, as a trigger writes them, and seal them. Their seals are verified for as
// long as a log holds them. During an upgrade such a server may still change an entry.

// The kinds of entries in the staff history; staffKind is also the ledger's.
const (
	staffKind = "staff_entry"
	muteKind  = "mute"
)

// sealedStaff has the changes with a valid seal by entry, in order.
type sealedStaff map[string][]staffChange

// upTo returns the changes up to a position, and those after it.
func (s sealedStaff) upTo(end int64) (before, later sealedStaff) {
	before, later = sealedStaff{}, sealedStaff{}
	for key, changes := range s {
		for _, c := range changes {
			if c.position <= end {
				before[key] = append(before[key], c)
			} else {
				later[key] = append(later[key], c)
			}
		}
	}
	return before, later
}

// made returns the change that produced the content which the difference found, or nil.
func (s sealedStaff) made(d ledger.Difference) *staffChange {
	if d.Kind != staffKind {
		return nil
	}
	for _, c := range slices.Backward(s[d.Key]) {
		if c.at.After(d.Since) && c.leaves(d.Found) {
			return &c
		}
	}
	return nil
}

// leaves reports whether the change produced the content that the ledger has, as far as the history
// stores it.
func (c *staffChange) leaves(content []byte) bool {
	if c.after == nil || content == nil {
		return c.after == nil && content == nil
	}
	type rights struct {
		Unrestricted bool `json:"unrestricted"`
		Permissions  any  `json:"permissions"`
	}
	var then rights
	var now struct {
		rights
		Kind   string `json:"kind"`
		UserID string `json:"user_id"`
	}
	if json.Unmarshal([]byte(*c.after), &then) != nil || json.Unmarshal(content, &now) != nil {
		return false
	}
	return now.Kind == c.kind && now.UserID == c.userID && reflect.DeepEqual(now.rights, then)
}

// staffSeals verifies the chain of the seals, their signatures, and the checkpoints that attest
// them.
func (r *auditRun) staffSeals(ctx context.Context, tx pgx.Tx) (sealedStaff, error) {
	valid := sealedStaff{}
	attested := map[int64]Checkpoint{}
	for _, c := range r.Checkpoints {
		if c.StaffSeals > 0 {
			attested[c.StaffSeals] = c
		}
	}
	var c staffChange
	var number int64
	var before, hash, signature []byte
	var present bool
	prev, last := eventstore.Genesis(), int64(0)
	err := postgres.ForEach(ctx, tx, "read staff seals", append([]any{&number, &before, &hash, &signature, &present}, c.fields()...), func() error {
		last++
		switch {
		case number != last:
			r.found(Finding{Problem: fmt.Sprintf("staff history: seal %d is missing", last)})
			last = number
		case !present:
			r.foundStaff(c.position, "the change is missing")
		case !bytes.Equal(before, prev):
			r.foundStaff(c.position, "it does not follow the change before it")
		case !bytes.Equal(hash, c.hash(before)):
			r.foundStaff(c.position, "its content does not match its hash")
		case !r.signers.valid(hash, signature):
			r.foundStaff(c.position, "its signature is not by a known key")
		default:
			valid[c.entryID] = append(valid[c.entryID], c)
		}
		if k, ok := attested[number]; ok {
			if hex.EncodeToString(hash) != k.StaffHash {
				r.foundStaff(c.position, "it is not the change that the checkpoint of "+k.Taken.Format(time.RFC3339)+" attests")
			}
			delete(attested, number)
		}
		prev = hash
		return nil
	}, `SELECT s.number, s.prev_hash, s.hash, s.signature, h.position IS NOT NULL,
			s.position, coalesce(h.entry_id::text, ''), coalesce(h.kind, ''), coalesce(h.user_id::text, ''), h.actor_id::text, coalesce(h.action, ''),
			h.before::text, h.after::text, coalesce(h.at, 'epoch')
		FROM core_staff_seals s LEFT JOIN core_staff_history h USING (position) ORDER BY s.number`)
	if err != nil {
		return nil, err
	}
	for n, c := range attested {
		r.found(Finding{Problem: fmt.Sprintf("staff history: it ends after seal %d, and the checkpoint of %s attests %d", last, c.Taken.Format(time.RFC3339), n)})
	}
	return valid, nil
}

// unsealedStaff reports changes after the first sealed one that have no seal, up to where the
// ledger began. Later changes are in the ledger; the history has them only for servers of the
// previous release.
func (r *auditRun) unsealedStaff(ctx context.Context, tx pgx.Tx, end int64) error {
	var position int64
	return postgres.ForEach(ctx, tx, "look for unsealed changes", []any{&position}, func() error {
		r.foundStaff(position, "it is not signed: no server made it")
		return nil
	}, `SELECT h.position FROM core_staff_history h WHERE h.position > (SELECT min(position) FROM core_staff_seals) AND h.position <= $1
		AND NOT EXISTS (SELECT FROM core_staff_seals s WHERE s.position = h.position) ORDER BY h.position`, end)
}

func (r *auditRun) foundStaff(position int64, problem string) {
	r.found(Finding{Problem: fmt.Sprintf("staff history, change %d: %s", position, problem)})
}
