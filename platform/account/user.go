package account

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// User is an account. Email may be empty.
type User struct {
	ID        string
	Email     string
	Name      string
	Demo      bool
	Disabled  bool // nobody can sign in to it
	CreatedAt time.Time

	SecondFactor bool   // its password is not enough
	Flagger      string // the organisation for which it is a trusted flagger, or ""
}

// NewUser describes an account to create. Without a password nobody can sign in to it; without an
// email it cannot be found by email.
type NewUser struct {
	Email    string
	Name     string
	Password string // "" or 8 to 256 bytes
	Demo     bool
}

const userColumns = `u.id, coalesce(u.email, ''), u.name, u.demo, u.disabled_at IS NOT NULL, u.created_at,
	EXISTS (SELECT FROM core_factors f WHERE f.user_id = u.id), coalesce((SELECT f.name FROM core_trusted_flaggers f WHERE f.user_id = u.id), '')`

// fields receives userColumns.
func (u *User) fields() []any {
	return []any{&u.ID, &u.Email, &u.Name, &u.Demo, &u.Disabled, &u.CreatedAt, &u.SecondFactor, &u.Flagger}
}

func scanUser(row pgx.CollectableRow) (u User, err error) {
	err = row.Scan(u.fields()...)
	return u, err
}

// CreateUser creates an account. It returns validation_failed with every fault, or
// already_exists if another account has the email in any case.
func (s *Store) CreateUser(ctx context.Context, n NewUser) (User, error) {
	u, hash, err := s.prepare(ctx, n)
	if err != nil {
		return User{}, err
	}
	if err := addUser(ctx, s.pool, u, hash); err != nil {
		return User{}, err
	}
	return u, nil
}

func addUser(ctx context.Context, db postgres.Execer, u User, hash string) error {
	err := postgres.Exec(ctx, db, "create user", insertUser, insertArgs(u, hash)...)
	if postgres.UniqueBroken(err, "core_users_email") {
		return domain.Errorf(domain.CodeAlreadyExists, "An account with this email exists.")
	}
	return err
}

// EnsureUsers creates the accounts that do not exist yet, by email, in one transaction,
// and returns all of them in the order of the argument. An existing account keeps its
// name and password. Every account needs an email.
func (s *Store) EnsureUsers(ctx context.Context, all []NewUser) ([]User, error) {
	batch := &pgx.Batch{}
	users := make([]User, len(all))
	hashes := map[string]string{} // demo accounts share a password; hash it once
	for i, n := range all {
		password := n.Password
		if hashes[password] != "" {
			n.Password = ""
		}
		if n.Email == "" {
			return nil, fmt.Errorf("user %d: %w", i, domain.Invalid(fault("email", "required", "Must be given.")...))
		}
		u, hash, err := s.prepare(ctx, n)
		if err != nil {
			return nil, fmt.Errorf("user %d: %w", i, err)
		}
		if hash == "" && password != "" {
			hash = hashes[password]
		}
		hashes[password] = hash
		batch.Queue(insertUser+" ON CONFLICT (lower(email)) DO NOTHING", insertArgs(u, hash)...)
		batch.Queue("SELECT "+userColumns+" FROM core_users u WHERE lower(u.email) = lower($1)", u.Email).
			Query(func(rows pgx.Rows) (err error) {
				users[i], err = pgx.CollectExactlyOneRow(rows, scanUser)
				return err
			})
	}
	return users, postgres.Send(ctx, s.pool, "ensure users", batch)
}

const insertUser = `INSERT INTO core_users (id, email, name, password_hash, demo, created_at)
	VALUES ($1, nullif($2, ''), $3, nullif($4, ''), $5, $6)`

func insertArgs(u User, hash string) []any {
	return []any{u.ID, u.Email, u.Name, hash, u.Demo, u.CreatedAt}
}

// prepare checks a new account; issues are the faults found before.
func (s *Store) prepare(ctx context.Context, n NewUser, issues ...domain.Issue) (u User, hash string, err error) {
	u = User{Email: strings.TrimSpace(n.Email), Name: strings.TrimSpace(n.Name), Demo: n.Demo, CreatedAt: s.time()}
	issues = append(issues, checkName("name", u.Name)...)
	if u.Email != "" {
		issues = append(issues, checkEmail("email", u.Email)...)
	}
	if n.Password != "" {
		issues = append(issues, checkNewPassword("password", n.Password)...)
	}
	if err := domain.Invalid(issues...); err != nil {
		return User{}, "", err
	}
	if n.Password != "" {
		if hash, err = s.passwords.hash(ctx, netip.Addr{}, n.Password); err != nil {
			return User{}, "", err
		}
	}
	u.ID = newID()
	return u, hash, nil
}

// FindByEmail returns the account with the email in any case, or not_found.
func (s *Store) FindByEmail(ctx context.Context, email string) (User, error) {
	return s.findUser(ctx, "lower(u.email) = lower($1)", strings.TrimSpace(email))
}

// FindByID returns an account, or not_found.
func (s *Store) FindByID(ctx context.Context, id string) (User, error) {
	id, err := parseID(id)
	if err != nil {
		return User{}, err
	}
	return s.findUser(ctx, "u.id = $1", id)
}

func (s *Store) findUser(ctx context.Context, where, value string) (User, error) {
	if !storable(value) {
		return User{}, domain.NotFound()
	}
	return postgres.CollectFound(ctx, s.pool, "find user", scanUser, "SELECT "+userColumns+" FROM core_users u WHERE "+where, value)
}

// Names returns the names of those ids that are accounts.
func (s *Store) Names(ctx context.Context, ids []string) (map[string]string, error) {
	names := make(map[string]string, len(ids))
	var id, name string
	return names, postgres.ForEach(ctx, s.pool, "names of users", []any{&id, &name}, func() error {
		names[id] = name
		return nil
	}, "SELECT id, name FROM core_users WHERE id = ANY($1)", ids)
}

// DemoAccountsExist reports whether docket demo created accounts here. Production refuses to start
// with them.
func (s *Store) DemoAccountsExist(ctx context.Context) (bool, error) {
	return postgres.CollectOne(ctx, s.pool, "look for demo accounts", pgx.RowTo[bool], "SELECT EXISTS (SELECT FROM core_users WHERE demo)")
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// Now returns the store's time.
func (s *Store) Now() time.Time { return s.now() }

// time returns the current time at PostgreSQL's precision.
func (s *Store) time() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// storable reports whether PostgreSQL can store the text.
func storable(text string) bool { return printable(text, true) }

// UserList orders the list of users: by name, in code point order, by default, or by
// createdAt, newest first.
var UserList = paging.List{
	Orderings: []paging.Ordering{
		{Name: "name", Expr: `(u.name COLLATE "C")`, Kind: paging.Text, Default: paging.Asc},
		{Name: "createdAt", Expr: "u.created_at", Kind: paging.Time, Default: paging.Desc},
	},
	ID: paging.ID{Expr: "u.id", Kind: paging.UUID},
}

// ListUsers returns a page of accounts: all, or those whose name and email have words
// that begin with each word of the search.
func (s *Store) ListUsers(ctx context.Context, search string, r paging.Request) (paging.Page[User], error) {
	return sqlpage.List[User]{Task: "list users",
		SQL:  "SELECT " + userColumns + " FROM core_users u WHERE " + searchCondition(search),
		Args: []any{postgres.NameQuery(search)}, Scan: scanUser,
		Key: func(u User) paging.Position {
			if r.OrderBy() == "createdAt" {
				return paging.At(u.CreatedAt, u.ID)
			}
			return paging.Position{Value: paging.TextValue(u.Name), ID: paging.UUIDValue(u.ID)}
		}}.Read(ctx, s.pool, r)
}

// searchCondition always uses $1. Without a search it does not constrain rows, so that the index of
// the ordering serves.
func searchCondition(search string) string {
	if strings.TrimSpace(search) == "" {
		return "$1 = ''"
	}
	return "u.search @@ to_tsquery('simple', $1)"
}
