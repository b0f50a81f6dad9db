package permission

import (
	"slices"
	"time"

	"github.com/docketmod/docket/domain/scope"
)

// Caller is the account behind a session or token, with its permissions.
type Caller struct {
	UserID    string
	Name      string
	Email     string
	Admin     *Entry // nil if there is no admin entry
	Moderator *Entry // nil if there is no moderator entry
	Use       Use
	Mutes     []Mute // that were not ended early

	// LacksFactor is set for staff who signed in by password alone where they need a second factor. They reach only
	// their own account.
	LacksFactor bool

	Session bool // the request has a session, not a token

	// Member is set for an account that a platform vouches for, as one of its members. It has no staff permissions and
	// cannot make tokens, since these would not know their origin.
	Member bool

	// Blind is the report on which the account gives a second opinion now; nil means none.
	Blind *Blind

	PluginID string // of a token of use host or signal, which has no account
	TokenID  string // of the request's token, "" for none

	TokenExpires *time.Time // of the request's token; nil for none, and for one that does not expire
}

// Blind is a report under a second opinion. All reports of its target are hidden from the reviewer meanwhile, since one
// decision may cover several.
type Blind struct {
	ReportID   string `json:"report"`
	PluginID   string `json:"plugin"`
	TargetType string `json:"type"`
	TargetID   string `json:"id"`
}

// Hides reports whether a report of the target is hidden.
func (b *Blind) Hides(plugin, targetType, id string) bool {
	return b != nil && b.PluginID == plugin && b.TargetType == targetType && b.TargetID == id
}

// Coverage returns what the moderator entry's grants of the permission cover, except the target of Blind.
func (c *Caller) Coverage(permission string) Coverage {
	covered := c.Moderator.Coverage(permission)
	covered.Blind = c.Blind
	return covered
}

// Mute is a mute of an account. It applies to reports in the scopes in which the moderator who
// made it was allowed to mute people at that time.
type Mute struct {
	Until time.Time `json:"until"`
	// Reach is where the mute's author held MuteReporters; nil means everywhere, as for mutes made before this was
	// stored.
	Reach *Entry `json:"reach"`
}

// Muted reports whether the account is muted at a time for its reports in a resource of a module. Such a report has no
// weight.
func (c *Caller) Muted(at time.Time, plugin, module string, r scope.Resource) bool {
	return slices.ContainsFunc(c.Mutes, func(m Mute) bool {
		return at.Before(m.Until) && (m.Reach == nil || m.Reach.Covers(plugin, module, MuteReporters, r))
	})
}

// Use is what a token may be used for. A session may be used for everything.
type Use string

// The uses of tokens. Each of the first three includes the one before it.
const (
	UseRead     Use = "read"     // read requests
	UseModerate Use = "moderate" // the moderation routes
	UseAdmin    Use = "admin"    // everything
	UseHost     Use = "host"     // a plugin's, to file reports for the members of its platform
	UseSignal   Use = "signal"   // a plugin's, to send signals about its content
)

// OfPlugin reports whether tokens of this use belong to a plugin instead of an account.
func (u Use) OfPlugin() bool { return u == UseHost || u == UseSignal }

// Covers reports whether a token of this use may do everything that one of the other use may.
func (u Use) Covers(other Use) bool {
	order := map[Use]int{UseRead: 1, UseModerate: 2, UseAdmin: 3}
	return order[u] >= order[other]
}
