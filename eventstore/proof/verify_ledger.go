package proof

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
)

// administration verifies, in one snapshot, the administrative data: the ledger with its tables, the checkpoints that
// draw second opinions, and the staff history of earlier releases.
func (r *auditRun) administration(ctx context.Context) error {
	err := pgx.BeginTxFunc(ctx, r.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		sealed, err := r.staffSeals(ctx, tx)
		if err != nil {
			return err
		}
		if err := r.ledger(ctx, tx, sealed); err != nil {
			return err
		}
		return r.recorded(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("check the ledger: %w", err)
	}
	return nil
}

func (r *auditRun) ledger(ctx context.Context, tx pgx.Tx, sealed sealedStaff) error {
	attested := map[int64]Checkpoint{}
	for _, c := range r.Checkpoints {
		if c.Ledger > 0 {
			attested[c.Ledger] = c
		}
	}
	var fold ledger.Fold
	var inherited []ledger.Record
	var begun *ledger.Beginning
	prev, end := eventstore.Genesis(), int64(0)
	var at time.Time
	err := ledger.Each(ctx, tx, func(record ledger.Record) error {
		end++
		switch {
		case record.Position != end:
			r.found(Finding{Problem: fmt.Sprintf("ledger: record %d is missing", end)})
			end = record.Position
		case !bytes.Equal(record.PrevHash, prev):
			r.foundRecord(record, "it does not follow the record before it")
		case !bytes.Equal(record.Hash, record.ChainHash()):
			r.foundRecord(record, "its content does not match its hash")
		case record.At.Before(at):
			r.foundRecord(record, "its time is before that of the record before it")
		case record.Signature == nil:
			r.foundRecord(record, "it is not signed")
		case !r.signers.valid(record.Hash, record.Signature):
			r.foundRecord(record, "its signature is not by a known key")
		}
		if c, ok := attested[record.Position]; ok {
			if hex.EncodeToString(record.Hash) != c.LedgerHash {
				r.foundRecord(record, "it is not the record that the checkpoint of "+c.Taken.Format(time.RFC3339)+" attests")
			}
			delete(attested, record.Position)
		}
		for _, d := range fold.Follow(record) {
			r.audited.Adoptions++
			r.noted(fmt.Sprintf("adopted by the operator on %s: %s", record.At.UTC().Format(time.RFC3339), d))
		}
		if b := record.AsBeginning(); b != nil {
			begun = b
			before, _ := sealed.upTo(b.StaffHistory)
			r.began(&fold, inherited, before)
		} else if record.Action == ledger.Inherited {
			inherited = append(inherited, record)
		}
		prev, at = record.Hash, record.At
		return nil
	})
	if err != nil {
		return err
	}
	for n, c := range attested {
		r.found(Finding{Problem: fmt.Sprintf("ledger: it ends after record %d, and the checkpoint of %s attests %d", end, c.Taken.Format(time.RFC3339), n)})
	}
	r.audited.Records = end
	return r.compareTables(ctx, tx, &fold, begun, sealed)
}

// compareTables reports the rows that differ from what was signed.
func (r *auditRun) compareTables(ctx context.Context, tx pgx.Tx, fold *ledger.Fold, begun *ledger.Beginning, sealed sealedStaff) error {
	if begun == nil {
		if len(sealed) > 0 || r.audited.Records > 0 {
			r.noted("ledger: it has not begun. It begins when a server of this release starts")
		}
		return nil
	}
	if err := r.unsealedStaff(ctx, tx, begun.StaffHistory); err != nil {
		return err
	}
	differences, err := fold.Differences(ctx, tx, r.Tables...)
	if err != nil {
		return err
	}
	_, later := sealed.upTo(begun.StaffHistory)
	for _, d := range differences {
		if change := later.made(d); change != nil {
			r.noted(fmt.Sprintf("%s. A server of the release before made it, by %s on %s; docket audit adopt takes it over",
				d, cmp.Or(domain.OrEmpty(change.actorID), "the operator"), change.at.UTC().Format(time.RFC3339)))
			continue
		}
		r.found(Finding{Problem: d.String()})
	}
	return nil
}

// began compares the inherited rows with the last changes of them that earlier releases sealed.
func (r *auditRun) began(fold *ledger.Fold, inherited []ledger.Record, sealed sealedStaff) {
	for _, record := range inherited {
		changes := sealed[record.Key]
		if record.Kind != staffKind || len(changes) == 0 {
			r.audited.Inherited++
		}
		if record.Kind != staffKind {
			continue // no earlier release sealed its content
		}
		if len(changes) == 0 {
			r.noted(fmt.Sprintf("%s: it stood when the ledger began, and no server had signed it: %s", record.Subject, record.Payload))
		} else if last := changes[len(changes)-1]; !last.leaves(record.Payload) {
			r.foundRecord(record, fmt.Sprintf("the ledger began with it, and change %d of the staff history left it otherwise", last.position))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(sealed)) {
		last := sealed[key][len(sealed[key])-1]
		s := ledger.Subject{Kind: staffKind, Key: key}
		if last.kind != muteKind && last.after != nil && fold.Signed(s) == nil {
			r.found(Finding{Problem: fmt.Sprintf("%s: it was gone when the ledger began, and change %d of the staff history left it", s, last.position)})
		}
	}
}

func (r *auditRun) foundRecord(record ledger.Record, problem string) {
	r.found(Finding{Problem: fmt.Sprintf("ledger, record %d (%s): %s", record.Position, record.Subject, problem)})
}

func (r *auditRun) noted(line string) {
	if r.Noted != nil {
		r.Noted(line)
	}
}
