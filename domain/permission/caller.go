package permission

import "time"

// Caller is the account behind a session or token, with its rights.
type Caller struct {
	UserID    string
	Name      string
	Email     string
	Admin     *Entry // nil if there is no admin entry
	Moderator *Entry // nil if there is no moderator entry
	Use       Use
	// MutedUntil is when the account's mute ends; nil if it is not muted. Reports by muted
	// accounts have no weight.
	MutedUntil *time.Time

	// PluginID and TokenID are those of a token of use host, which has no account.
	PluginID string
	TokenID  string
}

// Muted reports whether the account is muted at a time.
func (c *Caller) Muted(at time.Time) bool { return c.MutedUntil != nil && at.Before(*c.MutedUntil) }

// Use is what a token may be used for. A session may be used for everything.
type Use string

// The uses of tokens. Each of the first three includes the one before it.
const (
	UseRead     Use = "read"     // read requests
	UseModerate Use = "moderate" // the moderation routes
	UseAdmin    Use = "admin"    // everything
	UseHost     Use = "host"     // a plugin's, to file reports for the members of its platform
)

// Covers reports whether a token of this use may do all that one of another use may.
func (u Use) Covers(other Use) bool {
	order := map[Use]int{UseRead: 1, UseModerate: 2, UseAdmin: 3}
	return order[u] >= order[other]
}
