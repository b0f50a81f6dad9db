package report

// Status is the status of a report.
type Status string

// The statuses of a report.
const (
	New        Status = "new"
	InProgress Status = "in_progress"
	Done       Status = "done"
)

// Statuses lists every status, in the order in which reports pass through them.
var Statuses = []Status{New, InProgress, Done}

// Reason is why somebody reported the content.
type Reason string

// The reasons that a reporter can choose from.
const (
	Spam          Reason = "spam"
	Abusive       Reason = "abusive"
	RuleViolation Reason = "rule_violation"
	Other         Reason = "other"
)

// Reasons lists every reason.
var Reasons = []Reason{Spam, Abusive, RuleViolation, Other}

// Source is how a report was filed.
type Source string

// The sources of reports.
const (
	FromMember Source = "member"
	FromHost   Source = "host"   // the platform filed it for a member
	FromNotice Source = "notice" // by anybody, who may have no account
	// FromTrustedFlagger means an account that an administrator has marked as a trusted flagger.
	FromTrustedFlagger Source = "trusted_flagger"
)

// Resolution is the outcome of a report.
type Resolution string

// The outcomes that a report can have.
const (
	NoViolation Resolution = "no_violation"
	ActionTaken Resolution = "action_taken"
	Duplicate   Resolution = "duplicate"
)

// Resolutions lists every resolution.
var Resolutions = []Resolution{NoViolation, ActionTaken, Duplicate}
