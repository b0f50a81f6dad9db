package target

// The names of the actions that a target may have (spec 2.5).
const (
	Hide   = "hide"
	Unhide = "unhide"
)
