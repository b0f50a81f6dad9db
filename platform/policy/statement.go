package policy

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
)

// StatementLedger declares what the ledger proves about the bases of policy versions for the
// transparency database.
var StatementLedger = &ledger.Table{Kind: "statement", Name: "core_policy_statements", Key: "key || '/' || version",
	Columns: []string{"key", "version", "statement"}}

// storeStatement stores a new version's basis for the transparency database, if it has one.
func storeStatement(ctx context.Context, tx pgx.Tx, d policy.Draft, version int) ([]ledger.Change, error) {
	if d.Statement == nil {
		return nil, nil
	}
	err := postgres.Exec(ctx, tx, "store its statement", `INSERT INTO core_policy_statements (key, version, statement) VALUES ($1, $2, $3)`, d.Key, version, d.Statement)
	return []ledger.Change{{Table: StatementLedger, Key: fmt.Sprintf("%s/%d", d.Key, version),
		After: ledger.Row{"key": d.Key, "version": version, "statement": d.Statement}}}, err
}
