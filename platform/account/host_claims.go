package account

import (
	"strings"
	"unicode/utf8"
)

// personClaims are claims of any type, since an unusable one is no reason to refuse a
// valid token.
type personClaims struct {
	Name              any `json:"name"`
	PreferredUsername any `json:"preferred_username"`
	Email             any `json:"email"`
	EmailVerified     any `json:"email_verified"`
}

// describe takes the person's name and verified email.
func (id *hostIdentity) describe(c personClaims) {
	email, _ := c.Email.(string)
	email = strings.TrimSpace(email)
	if verified, _ := c.EmailVerified.(bool); verified && checkEmail("", email) == nil {
		id.email = email
	}
	id.name = displayName(c.Name, c.PreferredUsername, id.email)
}

// displayName returns the first usable claim as a name, cut to fit.
func displayName(claims ...any) string {
	for _, claim := range claims {
		name, _ := claim.(string)
		name, _, _ = strings.Cut(name, "@") // members never see an email address
		name = strings.TrimSpace(name)
		if utf8.RuneCountInString(name) > maxName {
			name = strings.TrimSpace(string([]rune(name)[:maxName]))
		}
		if checkName("", name) == nil {
			return name
		}
	}
	return "Member"
}
