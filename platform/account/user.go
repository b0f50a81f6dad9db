package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
)

// User is an account. Email is "" where it has none.
type User struct {
	ID        string
	Email     string
	Name      string
	Demo      bool
	CreatedAt time.Time
}

// NewUser is what an account is made from. Without a password nobody signs in
// to it, without an email nobody finds it by one.
type NewUser struct {
	Email    string
	Name     string
	Password string // "" or 8 to 256 bytes
	Demo     bool
}

const userColumns = "u.id, coalesce(u.email, ''), u.name, u.demo, u.created_at"

func scanUser(row pgx.CollectableRow) (User, error) {
	var u User
	err := row.Scan(&u.ID, &u.Email, &u.Name, &u.Demo, &u.CreatedAt)
	u.CreatedAt = u.CreatedAt.UTC()
	return u, err
}

// CreateUser makes an account: validation_failed with every fault, or
// already_exists when the email, in whatever case, is another's.
func (s *Store) CreateUser(ctx context.Context, n NewUser) (User, error) {
	u, hash, err := s.prepare(ctx, n)
	if err != nil {
		return User{}, err
	}
	_, err = s.pool.Exec(ctx, insertUser, insertArgs(u, hash)...)
	if uniqueBroken(err, "core_users_email") {
		return User{}, domain.Errorf(domain.CodeAlreadyExists, "An account with this email exists.")
	}
	if err != nil {
		return User{}, fmt.Errorf("create user: %w", err)
	}
	return u, nil
}

// EnsureUsers makes those accounts that are not there yet, known by email, in
// one transaction, and gives them all in the order of the argument. An account
// that is there keeps its name and password. Every one needs an email.
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
			Query(func(rows pgx.Rows) error {
				var err error
				users[i], err = pgx.CollectExactlyOneRow(rows, scanUser)
				return err
			})
	}
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("ensure users: %w", err)
	}
	return users, nil
}

const insertUser = `INSERT INTO core_users (id, email, name, password_hash, demo, created_at)
	VALUES ($1, nullif($2, ''), $3, nullif($4, ''), $5, $6)`

func insertArgs(u User, hash string) []any {
	return []any{u.ID, u.Email, u.Name, hash, u.Demo, u.CreatedAt}
}

func (s *Store) prepare(ctx context.Context, n NewUser) (u User, hash string, err error) {
	u = User{Email: strings.TrimSpace(n.Email), Name: strings.TrimSpace(n.Name), Demo: n.Demo, CreatedAt: s.time()}
	issues := checkName("name", u.Name)
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
		if hash, err = s.passwords.hash(ctx, n.Password); err != nil {
			return User{}, "", err
		}
	}
	u.ID, err = newID()
	return u, hash, err
}

// FindByEmail gives the account with the email, in whatever case, or not_found.
func (s *Store) FindByEmail(ctx context.Context, email string) (User, error) {
	return s.findUser(ctx, "lower(u.email) = lower($1)", strings.TrimSpace(email))
}

// FindByID gives an account, or not_found.
func (s *Store) FindByID(ctx context.Context, id string) (User, error) {
	if _, err := uuid.Parse(id); err != nil {
		return User{}, domain.NotFound()
	}
	return s.findUser(ctx, "u.id = $1", id)
}

func (s *Store) findUser(ctx context.Context, where, value string) (User, error) {
	if !storable(value) {
		return User{}, domain.NotFound()
	}
	rows, err := s.pool.Query(ctx, "SELECT "+userColumns+" FROM core_users u WHERE "+where, value)
	if err != nil {
		return User{}, fmt.Errorf("find user: %w", err)
	}
	u, err := pgx.CollectExactlyOneRow(rows, scanUser)
	if errors.Is(err, pgx.ErrNoRows) {
		return User{}, domain.NotFound()
	}
	if err != nil {
		return User{}, fmt.Errorf("find user: %w", err)
	}
	return u, nil
}

// Names gives the names of those of the ids that are accounts.
func (s *Store) Names(ctx context.Context, ids []string) (map[string]string, error) {
	rows, err := s.pool.Query(ctx, "SELECT id, name FROM core_users WHERE id = ANY($1)", ids)
	if err != nil {
		return nil, fmt.Errorf("names of users: %w", err)
	}
	names := make(map[string]string, len(ids))
	var id, name string
	_, err = pgx.ForEachRow(rows, []any{&id, &name}, func() error {
		names[id] = name
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("names of users: %w", err)
	}
	return names, nil
}

// DemoAccountsExist tells whether `docket demo` made accounts here, on which
// production refuses to start (contract section 9).
func (s *Store) DemoAccountsExist(ctx context.Context) (bool, error) {
	var exist bool
	err := s.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM core_users WHERE demo)").Scan(&exist)
	if err != nil {
		return false, fmt.Errorf("look for demo accounts: %w", err)
	}
	return exist, nil
}

func newID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// time is now as PostgreSQL keeps it.
func (s *Store) time() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// storable tells whether PostgreSQL takes the text at all.
func storable(text string) bool { return printable(text, true) }
