// Package ledger records the history of the administrative tables whose content decides about
// people. The store that changes a row appends a [Change] with the row's whole content in the same
// transaction. All records form one chain, and the server signs each of them. Verification folds
// the records and compares the result with the tables, which reveals rows that were written by
// hand, by a trigger or by a release that does not sign.
//
// A further table needs a [Table] that says which columns are proven, in the list that cmd passes to verification, and
// a call of [Ledger.Append] in each change of its store. Other modules must not import it.
package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Table declares what the ledger proves about a table.
type Table struct {
	Kind    string   // of its records, such as "policy"
	Name    string   // in the database
	Key     string   // the SQL expression of a row's key
	Columns []string // proven columns; one that is added later must be null in existing rows
	Texts   []string // columns of text, of which the ledger stores only a hash
	// Accounts are columns that become null when the account that they name is deleted.
	Accounts []string
	// Owner is the column of the account whose deletion deletes the row; "" for none.
	Owner string
}

// Row is the content of a row by column. Columns that are missing are null.
type Row map[string]any

// timeLayout has the precision of PostgreSQL.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// encode returns the row as canonical JSON without nulls, or nil for no row. Rows with the same
// content have the same bytes, whether a store made them or the database returned them.
func (t *Table) encode(row Row) ([]byte, error) {
	if row == nil {
		return nil, nil
	}
	content := map[string]any{}
	for _, column := range slices.Concat(t.Columns, t.Texts) {
		value, err := plain(row[column])
		if err != nil {
			return nil, fmt.Errorf("%s of a %s: %w", column, t.Kind, err)
		}
		if text, ok := value.(string); ok && slices.Contains(t.Texts, column) {
			hash := sha256.Sum256([]byte(text))
			value = "sha256:" + hex.EncodeToString(hash[:])
		}
		if value != nil {
			content[column] = value
		}
	}
	return json.Marshal(content) // with its keys sorted
}

// plain returns the value as JSON decodes it.
func plain(value any) (any, error) {
	switch v := value.(type) {
	case nil, bool, string:
		return v, nil
	case time.Time:
		return v.UTC().Truncate(time.Microsecond).Format(timeLayout), nil
	case [16]byte:
		return uuid.UUID(v).String(), nil
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, nil
		}
		return plain(v.Elem().Interface())
	}
	encoded, ok := value.([]byte)
	if !ok {
		var err error
		if encoded, err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	return decode[any](encoded)
}

func decode[T any](encoded []byte) (value T, err error) {
	d := json.NewDecoder(bytes.NewReader(encoded))
	d.UseNumber()
	return value, d.Decode(&value)
}

// With returns the row with some columns replaced.
func (r Row) With(other Row) Row {
	changed := maps.Clone(r)
	maps.Copy(changed, other)
	return changed
}

// Find returns the rows of the table that satisfy the condition, each as the Before of a change.
// The condition follows WHERE and may end with ORDER BY.
func (t *Table) Find(ctx context.Context, db postgres.Querier, where string, args ...any) ([]Change, error) {
	columns := slices.Concat(t.Columns, t.Texts)
	return postgres.Collect(ctx, db, "read "+t.Name, func(r pgx.CollectableRow) (Change, error) {
		values, err := r.Values()
		if err != nil {
			return Change{}, err
		}
		c := Change{Table: t, Before: Row{}}
		c.Key, _ = values[0].(string)
		for i, column := range columns {
			c.Before[column] = values[i+1]
		}
		return c, nil
	}, fmt.Sprintf(`SELECT (%s)::text, %s FROM %s WHERE %s`, t.Key, strings.Join(columns, ", "), t.Name, where), args...)
}

// Owned returns the changes that deleting an account makes to the tables with rows of that account.
// Call it before the deletion, which then appends them.
func Owned(ctx context.Context, db postgres.Querier, account string, tables ...*Table) (changes []Change, err error) {
	for _, t := range tables {
		if t.Owner == "" {
			continue
		}
		found, err := t.Find(ctx, db, t.Owner+" = $1 ORDER BY 1", account)
		if err != nil {
			return nil, err
		}
		changes = append(changes, found...)
	}
	return changes, nil
}
