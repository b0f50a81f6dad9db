package ledger

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Difference is a row that differs from what was signed.
type Difference struct {
	Subject
	Position int64     // of the record that found it; 0 if the table has it now
	Signed   []byte    // the signed content; nil if there is no row
	Since    time.Time // when it was signed; zero if nothing was
	Found    []byte    // the found content; nil if there was no row
	columns  []string
}

// String names the row and each column that differs.
func (d Difference) String() string {
	has, is := "the table has", "is"
	if d.Position > 0 {
		has, is = fmt.Sprintf("before record %d the table had", d.Position), "was"
	}
	var problem string
	switch {
	case d.Signed == nil:
		problem = has + " it, and no server signed it: " + short(d.Found)
	case d.Found == nil:
		problem = has + " it no more, and no server signed that: " + short(d.Signed)
	default:
		signed, found := fields(d.Signed), fields(d.Found)
		var differ []string
		for _, column := range d.columns {
			differ = append(differ, fmt.Sprintf("%s %s %s, and %s is signed", column, is, short(found[column]), short(signed[column])))
		}
		problem = strings.Join(differ, "; ")
		if d.Position > 0 {
			problem = fmt.Sprintf("before record %d ", d.Position) + problem
		}
	}
	return d.Subject.String() + ": " + problem
}

func (s Subject) String() string { return strings.ReplaceAll(s.Kind, "_", " ") + " " + s.Key }

// fields returns the content of a row by column; nil for none.
func fields(content []byte) (all map[string]json.RawMessage) {
	_ = json.Unmarshal(content, &all) // it was encoded by a server
	return all
}

// short returns JSON in at most 200 bytes; nil becomes null.
func short(content []byte) string {
	const most = 200
	if content == nil {
		content = nothing
	}
	if len(content) > most {
		return strings.ToValidUTF8(string(content[:most]), "") + "…"
	}
	return string(content)
}

// Fold is the content of the tables according to the records folded so far.
type Fold struct {
	last map[Subject]Record
	// unsettled has the differences that changes have found, until the row is adopted.
	unsettled map[Subject][]Difference
}

// Signed returns the signed content of a row, or nil.
func (f *Fold) Signed(s Subject) []byte { return f.last[s].Payload }

// Follow folds the next record. If it adopts a row, it returns the differences that this resolves.
func (f *Fold) Follow(r Record) (adopted []Difference) {
	if f.last == nil {
		f.last, f.unsettled = map[Subject]Record{}, map[Subject][]Difference{}
	}
	if r.Found != nil {
		found := r.Found
		if bytes.Equal(found, nothing) {
			found = nil
		}
		f.unsettled[r.Subject] = append(f.unsettled[r.Subject], f.difference(r.Subject, r.Position, found))
	}
	if r.Action == Adopted {
		adopted = f.unsettled[r.Subject]
		if !bytes.Equal(f.Signed(r.Subject), r.Payload) {
			adopted = append(adopted, f.difference(r.Subject, r.Position, r.Payload))
		}
		delete(f.unsettled, r.Subject)
	}
	f.last[r.Subject] = r
	return adopted
}

// difference compares the found content of a row with the signed one.
func (f *Fold) difference(s Subject, position int64, content []byte) Difference {
	last := f.last[s]
	d := Difference{Subject: s, Position: position, Signed: last.Payload, Since: last.At, Found: content}
	signed, found := fields(d.Signed), fields(d.Found)
	both := map[string]json.RawMessage{}
	maps.Copy(both, signed)
	maps.Copy(both, found)
	for _, column := range slices.Sorted(maps.Keys(both)) {
		if !bytes.Equal(signed[column], found[column]) {
			d.columns = append(d.columns, column)
		}
	}
	return d
}

// Differences returns the rows that differ from what was signed, sorted by subject: those that later changes found, and
// those in the tables now. The fold and the tables must be read in one snapshot, or under the lock.
func (f *Fold) Differences(ctx context.Context, db postgres.Querier, tables ...*Table) ([]Difference, error) {
	all := slices.Concat(slices.Collect(maps.Values(f.unsettled))...)
	for _, t := range tables {
		found, err := t.Find(ctx, db, "true")
		if err != nil {
			return nil, err
		}
		present := map[string]bool{}
		for _, row := range found {
			content, err := t.encode(row.Before)
			if err != nil {
				return nil, err
			}
			s := Subject{t.Kind, row.Key}
			if present[row.Key] = true; !bytes.Equal(content, f.Signed(s)) {
				all = append(all, f.difference(s, 0, content))
			}
		}
		for s, last := range f.last {
			if s.Kind == t.Kind && last.Payload != nil && !present[s.Key] {
				all = append(all, f.difference(s, 0, nil))
			}
		}
	}
	all, err := withoutDeletedAccounts(ctx, db, all, tables)
	slices.SortFunc(all, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key), cmp.Compare(uint64(a.Position-1), uint64(b.Position-1)))
	})
	return all, err
}

// withoutDeletedAccounts drops columns that are null because the account that they named is
// deleted, and differences that consist only of these.
func withoutDeletedAccounts(ctx context.Context, db postgres.Querier, all []Difference, tables []*Table) ([]Difference, error) {
	// forgotten returns the account that a column named before it became null.
	forgotten := func(d Difference, column string) (account string) {
		at := slices.IndexFunc(tables, func(t *Table) bool { return t.Kind == d.Kind })
		if d.Found != nil && at >= 0 && slices.Contains(tables[at].Accounts, column) && fields(d.Found)[column] == nil {
			_ = json.Unmarshal(fields(d.Signed)[column], &account) // "" if nothing was signed
		}
		return account
	}
	var named []string
	for _, d := range all {
		for _, column := range d.columns {
			if account := forgotten(d, column); account != "" {
				named = append(named, account)
			}
		}
	}
	if named == nil {
		return all, nil
	}
	there, err := postgres.Collect(ctx, db, "look for accounts", pgx.RowTo[string], `SELECT id::text FROM core_users WHERE id = ANY ($1::uuid[])`, named)
	if err != nil {
		return nil, err
	}
	var left []Difference
	for _, d := range all {
		d.columns = slices.DeleteFunc(slices.Clone(d.columns), func(column string) bool {
			account := forgotten(d, column)
			return account != "" && !slices.Contains(there, account)
		})
		if len(d.columns) > 0 {
			left = append(left, d)
		}
	}
	return left, nil
}
