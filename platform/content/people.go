package content

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/target"
)

// checkPeople reports each column of people that does not exist, does not fit or cannot be changed.
func (in *tables) checkPeople(p *content.People, fault content.FaultFunc) {
	if in.people == nil {
		return
	}
	author := func(c column) bool { return c.is("uuid", "text", "varchar") }
	fit{"people.key", p.Key, author, "hold the id of an author: uuid or text"}.check(in.people, p.Table, fault)
	end := func(c column) bool { return c.nullable && c.is("timestamptz", "timestamp") }
	for _, c := range p.Columns() {
		fit{"people." + c.Name, c.Column, end, "hold a timestamp (timestamptz or timestamp, a date is too coarse) that may be null"}.check(in.people, p.Table, fault)
		checkChangeable(in.people, p.Table, "people."+c.Name, c.Column, "a measure", fault)
	}
}

// people returns what carries out measures: it updates the columns of an author according to the standing measures.
func people(b *bound) *target.People {
	p := b.People
	if p == nil {
		return nil
	}
	made := &target.People{}
	key := b.tables.people[p.Key]
	update := map[measure.Kind]string{}
	for _, c := range p.Columns() {
		made.Kinds = append(made.Kinds, c.Kind)
		column := quote(c.Column)
		value := "$2::timestamptz"
		if !b.tables.people[c.Column].is("timestamptz") {
			value = "($2::timestamptz AT TIME ZONE 'UTC')"
		}
		if c.Kind == measure.Terminate { // since the first standing one
			value = fmt.Sprintf("CASE WHEN $2::timestamptz IS NULL THEN NULL ELSE coalesce(%s, %s) END", column, value)
		}
		update[c.Kind] = fmt.Sprintf("UPDATE %s SET %s = %s WHERE %s = $1::text::%s", quoteTable(p.Table), column, value, quote(p.Key), key.typ)
	}
	set := func(ctx context.Context, r target.MeasureRequest) (found bool, err error) {
		if key.is("uuid") && uuid.Validate(r.AuthorID) != nil {
			return false, nil
		}
		tag, err := r.Tx.Exec(ctx, update[r.Kind], r.AuthorID, columnValue(r))
		if err != nil {
			return false, fmt.Errorf("%s %s: %w", r.Kind, r.AuthorID, err)
		}
		return tag.RowsAffected() > 0, nil
	}
	made.Impose = func(ctx context.Context, r target.MeasureRequest) ([]target.Effect, error) {
		found, err := set(ctx, r)
		if err == nil && !found {
			err = fmt.Errorf("%s has no row of %s", p.Table, r.AuthorID)
		}
		return nil, err
	}
	made.End = func(ctx context.Context, r target.MeasureRequest) ([]target.Effect, error) {
		_, err := set(ctx, r) // an author who no longer exists needs no ending
		return nil, err
	}
	return made
}

// columnValue returns the value of the column for a kind: the latest end of the standing measures, infinity if one has
// no end, or since when somebody is terminated. It is nil if no measure stands.
func columnValue(r target.MeasureRequest) *string {
	until, unending := r.Latest()
	var value string
	switch {
	case unending && r.Kind == measure.Terminate:
		value = r.At.UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano)
	case unending:
		value = "infinity"
	case until != nil:
		value = until.UTC().Format(time.RFC3339Nano)
	default:
		return nil
	}
	return &value
}
