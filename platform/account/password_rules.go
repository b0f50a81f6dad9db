package account

import (
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
)

// maxGivenPassword bounds a password on sign-in, in bytes. No account has a longer one.
const maxGivenPassword = 1024

// The limits of passwords: in bytes if an operator chooses them, in code points if people choose
// their own.
const (
	minPassword = 8
	maxPassword = 256
	minChosen   = 12
	maxChosen   = 200
)

func checkNewPassword(path, password string) []domain.Issue {
	switch {
	case len(password) < minPassword:
		return fault(path, "too_short", "A password has at least 8 bytes.")
	case len(password) > maxPassword:
		return fault(path, "too_long", "A password has at most 256 bytes.")
	}
	return nil
}

// checkChosenPassword checks a password that a person chooses for their own account.
func checkChosenPassword(path, password, email string) []domain.Issue {
	switch n := utf8.RuneCountInString(password); {
	case utf8.RuneCountInString(strings.TrimSpace(password)) < minChosen:
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
