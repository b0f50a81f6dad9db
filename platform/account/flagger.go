package account

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
)

// FlaggerLedger declares what the ledger proves about trusted flaggers: whom an administrator has marked, and for which
// organisation.
var FlaggerLedger = &ledger.Table{Kind: "trusted_flagger", Name: "core_trusted_flaggers", Key: "user_id", Owner: "user_id",
	Columns: []string{"user_id", "marked_by", "marked_at"}, Texts: []string{"name"}, Accounts: []string{"marked_by"}}

// maxFlagger bounds the name of a trusted flagger's organisation, in characters.
const maxFlagger = 200

// CheckFlagger returns the faults of the name of a trusted flagger's organisation.
func CheckFlagger(name string) []domain.Issue {
	name = strings.TrimSpace(name)
	switch {
	case !domain.Visible(name):
		return fault("name", "required", "The name of the organisation is needed.")
	case utf8.RuneCountInString(name) > maxFlagger:
		return fault("name", "too_long", "The name of an organisation has at most 200 characters.")
	case !printable(name, true):
		return fault("name", "invalid_text", "The name of an organisation is text on one line.")
	}
	return nil
}

// SetFlagger marks an account as a trusted flagger of the organisation with that name, which must have passed
// CheckFlagger, or removes the mark if the name is "". It applies from the next filing; earlier reports do not change.
// actor is who does it. It returns not_found if there is no such account. It is idempotent.
func (s *Store) SetFlagger(ctx context.Context, actor, userID, name string, allow Allow) (User, error) {
	name = strings.TrimSpace(name)
	return s.change(ctx, userID, allow, func(tx pgx.Tx, id string) error {
		if _, err := lockAccount(ctx, tx, id); err != nil {
			return err
		}
		found, err := FlaggerLedger.Find(ctx, tx, "user_id = $1", id)
		if err != nil {
			return err
		}
		c := ledger.Change{Table: FlaggerLedger, Key: id}
		if len(found) > 0 {
			c = found[0]
		}
		switch {
		case name == "":
			err = postgres.Exec(ctx, tx, "take the mark of a trusted flagger", `DELETE FROM core_trusted_flaggers WHERE user_id = $1`, id)
		case c.Before["name"] == name:
			return nil
		default:
			now := s.time()
			c.After = ledger.Row{"user_id": id, "name": name, "marked_by": actor, "marked_at": now}
			err = postgres.Exec(ctx, tx, "mark a trusted flagger", `INSERT INTO core_trusted_flaggers (user_id, name, marked_by, marked_at) VALUES ($1, $2, $3, $4)
				ON CONFLICT (user_id) DO UPDATE SET (name, marked_by, marked_at) = (EXCLUDED.name, EXCLUDED.marked_by, EXCLUDED.marked_at)`, id, name, actor, now)
		}
		if err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, actor, c)
	})
}
