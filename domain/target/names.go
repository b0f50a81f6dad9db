package target

// The names of the actions that a target can have.
const (
	Hide   = "hide"
	Unhide = "unhide"
)
