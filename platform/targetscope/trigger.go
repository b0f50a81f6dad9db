// Package targetscope keeps the stored present scopes of targets (core_moderation_targets, by which lists filter) up to
// date. There are two ways: a trigger on the content table stores a move in the transaction that makes it, and a
// scheduled job calls ResolveScope for the rest. Other modules must not import it.
package targetscope

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Content is a content table whose rows are targets in a scope.
type Content struct {
	PluginID, Type, Family string
	Table                  string // unquoted; may be `schema.table`
	KeyColumn              string // holds the target's id
	ScopeColumn            string // holds the resource; null means none
	// If a record has one row per locale, its scope is that of the row in Locale.
	LocaleColumn, Locale string
}

// ForType returns the content table of a content type, or false if its targets have no scope or
// cannot be reported.
func ForType(pluginID string, t *content.Type) (Content, bool) {
	if t.Scope == nil || t.Reports == nil {
		return Content{}, false
	}
	c := Content{
		PluginID: pluginID, Type: t.ID, Family: t.Scope.Family,
		Table: t.Table, KeyColumn: t.Key.Column, ScopeColumn: t.Scope.Column,
	}
	if t.Locale != nil && t.Locale.Table == "" {
		c.LocaleColumn, c.Locale = t.Locale.Column, t.Locale.Default
	}
	return c, true
}

func (c Content) table() string { return pgx.Identifier(strings.SplitN(c.Table, ".", 2)).Sanitize() }

// triggerPrefix begins the name of each trigger. Digests of the target type and of the Content
// follow, so that a changed Content gets another name.
const triggerPrefix = "core_follow_scope_"

func (c Content) prefix() string { return triggerPrefix + digest(c.PluginID, c.Type) + "_" }

func (c Content) name() string {
	return c.prefix() + digest(c.PluginID, c.Type, c.Family, c.Table, c.KeyColumn, c.ScopeColumn, c.LocaleColumn, c.Locale)
}

func digest(parts ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:6])
}

// TriggerSQL returns the statement that creates the trigger. The trigger fires whenever the scope
// column changes. Its function is in migration follow_scopes_of_strangers: if it cannot record the
// move, the host's write still succeeds, and the Reconciler finds the move later.
func (c Content) TriggerSQL() string {
	column := pgx.Identifier{c.ScopeColumn}.Sanitize()
	when := fmt.Sprintf("OLD.%s IS DISTINCT FROM NEW.%s", column, column)
	if c.LocaleColumn != "" {
		when += fmt.Sprintf(" AND lower(NEW.%s::text) = lower(%s)", pgx.Identifier{c.LocaleColumn}.Sanitize(), literal(c.Locale))
	}
	return fmt.Sprintf(`CREATE OR REPLACE TRIGGER %s AFTER UPDATE ON %s FOR EACH ROW
	WHEN (%s)
	EXECUTE FUNCTION core_moderation_follow_scope(%s, %s, %s, %s, %s)`,
		pgx.Identifier{c.name()}.Sanitize(), c.table(), when,
		literal(c.PluginID), literal(c.Type), literal(c.Family), literal(c.KeyColumn), literal(c.ScopeColumn))
}

// literal quotes a string constant; it assumes standard_conforming_strings (the
// default).
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Install creates the trigger if it is missing and drops one of an earlier Content of
// the same target type. It only reads if there is nothing to do; otherwise it locks the
// table against writes for an instant. Several servers may call it at once.
func Install(ctx context.Context, pool *pgxpool.Pool, c Content) error {
	installed, err := installedTriggers(ctx, pool, c)
	if err != nil {
		return err
	}
	if len(installed) == 1 && installed[0] == c.name() {
		return nil
	}
	return postgres.Transact(ctx, pool, "install scope trigger on "+c.Table, func(tx pgx.Tx) error {
		for _, name := range installed {
			if name == c.name() {
				continue
			}
			drop := fmt.Sprintf(`DROP TRIGGER IF EXISTS %s ON %s`, pgx.Identifier{name}.Sanitize(), c.table())
			if _, err := tx.Exec(ctx, drop); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, c.TriggerSQL())
		return err
	})
}

func installedTriggers(ctx context.Context, pool *pgxpool.Pool, c Content) ([]string, error) {
	return postgres.Collect(ctx, pool, "look for scope triggers on "+c.Table, pgx.RowTo[string],
		`SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass($1) AND starts_with(tgname, $2)`, c.table(), c.prefix())
}
