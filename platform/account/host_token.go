package account

import (
	"cmp"
	"context"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

var pluginID = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)

// CreateHostToken makes a token of a plugin: of use host, the default, with which its platform's
// server files reports for its members, or of use signal. It returns the token's text, which is not
// stored.
func (s *Store) CreateHostToken(ctx context.Context, plugin string, n NewToken) (text string, t Token, err error) {
	use := cmp.Or(n.Use, permission.UseHost)
	if use.OfPlugin() {
		n.Use = permission.UseAdmin // which Check knows
	}
	text, hash, t, err := s.newToken(n, use)
	if err != nil {
		return "", Token{}, err
	}
	if !pluginID.MatchString(plugin) {
		return "", Token{}, domain.Invalid(fault("plugin", "invalid", "A plugin's id consists of at most 64 lowercase letters, digits, - and _ and begins with a letter.")...)
	}
	err = postgres.Exec(ctx, s.pool, "create token", `INSERT INTO core_host_tokens (id, hash, plugin_id, name, use, created_at, expires_at, mac)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, t.ID, hash, plugin, t.Name, t.Use, time.Time(t.CreatedAt), (*time.Time)(t.ExpiresAt), s.keys.mac(tokenBinding(t.Use, plugin, hash)))
	if err != nil {
		return "", Token{}, err
	}
	return text, t, nil
}

// ListHostTokens returns the tokens of a plugin, oldest first, including expired and revoked
// ones.
func (s *Store) ListHostTokens(ctx context.Context, plugin string) ([]Token, error) {
	return postgres.Collect(ctx, s.pool, "list tokens", pgx.RowToStructByPos[Token], `SELECT id, name, use, created_at, expires_at, last_used_at, revoked_at
		FROM core_host_tokens WHERE plugin_id = $1 ORDER BY id`, plugin)
}

// maxSubject is the longest member id of a platform, in characters.
const maxSubject = 255

// CheckSubject returns the faults of a platform's member id. Names have no faults: they are
// truncated, as those in JWTs.
func CheckSubject(subject string) []domain.Issue {
	if subject == "" || utf8.RuneCountInString(subject) > maxSubject || !printable(subject, true) {
		return fault("subject", "invalid", "Must be 1 to 255 characters on one line.")
	}
	return nil
}

// Member returns the account of a member of a plugin's platform. It creates the account if the
// subject is new, and returns nil if the account was deleted.
func (s *Store) Member(ctx context.Context, plugin, subject, name string) (*permission.Caller, error) {
	id := hostIdentity{issuer: PluginIssuer(plugin), subject: subject, name: displayName(name)}
	caller, err := s.hostCaller(ctx, id)
	if domain.ErrorCode(err) == domain.CodeUnauthorized {
		return nil, nil
	}
	return caller, err
}
