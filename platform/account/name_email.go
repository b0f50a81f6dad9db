package account

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Limits of an account.
const (
	maxName  = 100 // characters
	maxEmail = 254 // bytes, RFC 5321
)

func checkEmail(path, email string) []domain.Issue {
	switch {
	case len(email) > maxEmail:
		return fault(path, "too_long", "An email address has at most 254 bytes.")
	case !printable(email, false) || !domain.ValidEmail(email):
		return fault(path, "invalid_email", "This is not an email address.")
	}
	return nil
}

func checkName(path, name string) []domain.Issue {
	switch {
	case !domain.Visible(name):
		return fault(path, "required", "A name is needed.")
	case utf8.RuneCountInString(name) > maxName:
		return fault(path, "too_long", "A name has at most 100 characters.")
	case !printable(name, true):
		return fault(path, "invalid_text", "A name is text on one line.")
	}
	return nil
}

// printable reports whether text can be stored and has no invisible characters: no
// invalid UTF-8, U+0000, control characters or marks of writing direction.
func printable(s string, spaces bool) bool {
	if !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		if r == ' ' {
			return !spaces
		}
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.IsSpace(r) && !spaces ||
			r == '\u2028' || r == '\u2029'
	})
}

func fault(path, code, message string) []domain.Issue {
	return []domain.Issue{{Path: path, Code: code, Message: message}}
}

// CheckName returns the faults of a name for an account.
func CheckName(name string) []domain.Issue { return checkName("name", strings.TrimSpace(name)) }

// Rename changes the name of an account, with the checks of CreateUser. It returns not_found if
// there is no such account.
func (s *Store) Rename(ctx context.Context, userID, name string) error {
	name = strings.TrimSpace(name)
	if err := domain.Invalid(CheckName(name)...); err != nil {
		return err
	}
	id, err := parseID(userID)
	if err != nil {
		return err
	}
	return postgres.ExecFound(ctx, s.pool, "rename account", "UPDATE core_users SET name = $2 WHERE id = $1", id, name)
}
