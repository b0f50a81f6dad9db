package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Load runs load, which adds many rows to the tables, within tx. Indexes, unique constraints
// and foreign keys of the tables, except primary keys, are dropped before and created again
// after load, which checks all rows at once; triggers of the tables do not fire. The tables
// are locked in their order until tx ends. Their names must not come from input.
func Load(ctx context.Context, tx pgx.Tx, tables []string, load func() error) error {
	const settings = `SET LOCAL maintenance_work_mem = '256MB'; SET LOCAL synchronous_commit = off;
		SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
		-- The tables grow, so a cached plan would become wrong.
		SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_seqscan = off`
	if _, err := tx.Exec(ctx, settings+`; LOCK TABLE `+strings.Join(tables, ", ")); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	rows, err := tx.Query(ctx, `SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
			FROM pg_index i WHERE i.indrelid = ANY ($1::regclass[]) AND NOT i.indisunique
		UNION ALL SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname),
				format('ALTER TABLE %s ADD CONSTRAINT %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
			FROM pg_constraint c WHERE c.conrelid = ANY ($1::regclass[]) AND c.contype IN ('f', 'u')
		UNION ALL SELECT format('ALTER TABLE %s DISABLE TRIGGER USER', t), format('ALTER TABLE %s ENABLE TRIGGER USER', t) FROM unnest($1::regclass[]) t`, tables)
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	var begin, end []string
	var drop, create string
	if _, err := pgx.ForEachRow(rows, []any{&drop, &create}, func() error {
		begin, end = append(begin, drop), append(end, create)
		return nil
	}); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	run := func(statements []string) error {
		for _, sql := range statements {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return fmt.Errorf("load: %s: %w", sql, err)
			}
		}
		return nil
	}
	if err := run(begin); err != nil {
		return err
	}
	if err := load(); err != nil {
		return err
	}
	return run(end)
}

// CopiedID returns an id, a string or *string, as COPY and arrays send it. For a string, pgx
// would try several other encodings first, which takes longer than the rest of a row.
func CopiedID(id any) any {
	text, ok := id.(string)
	if p, isPointer := id.(*string); isPointer && p != nil {
		text, ok = *p, true
	}
	if parsed, err := uuid.Parse(text); ok && err == nil {
		return pgtype.UUID{Bytes: parsed, Valid: true}
	}
	return id
}
