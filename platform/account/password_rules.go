package account

import (
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
)

// maxGivenPassword bounds a given password in bytes. No account has one as long.
const maxGivenPassword = 1024

// The limits of new passwords, in code points.
const (
	minChosen = 12
	maxChosen = 200
)

// checkChosenPassword checks a new password, whether its owner chooses it or an operator.
func checkChosenPassword(path, password, email string) []domain.Issue {
	switch n := utf8.RuneCountInString(password); {
	case n < minChosen:
		return fault(path, "too_short", "A password has at least 12 characters.")
	case n > maxChosen:
		return fault(path, "too_long", "A password has at most 200 characters.")
	case email != "" && strings.EqualFold(strings.TrimSpace(password), email):
		return fault(path, "is_email", "Your email address cannot be your password.")
	}
	return nil
}

func checkGivenPassword(path, password string) []domain.Issue {
	switch {
	case password == "":
		return fault(path, "required", "Must be given.")
	case len(password) > maxGivenPassword:
		return fault(path, "too_long", "A password has at most 1024 bytes.")
	}
	return nil
}
