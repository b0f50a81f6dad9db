package report

import "slices"

// Move names a step that a moderator can ask for.
type Move string

// The moves of contract 3.1.
const (
	MoveClaim    Move = "claim"
	MoveAssign   Move = "assign"
	MoveUnassign Move = "unassign"
	MoveResolve  Move = "resolve"
	MoveReopen   Move = "reopen"
)

// moves asks the decisions themselves whether a move would do something now, so
// that no second table of transitions can come to disagree with them.
var moves = []struct {
	name   Move
	decide func(s State, caller string) ([]Fact, error)
}{
	{MoveClaim, func(s State, caller string) ([]Fact, error) { return DecideClaim(s, caller, s.Version) }},
	{MoveAssign, func(s State, _ string) ([]Fact, error) { return DecideAssign(s, "", s.Version) }},
	{MoveUnassign, func(s State, _ string) ([]Fact, error) { return DecideUnassign(s, s.Version) }},
	{MoveResolve, func(s State, _ string) ([]Fact, error) { return DecideResolve(s, Resolve{}, s.Version) }},
	{MoveReopen, func(s State, _ string) ([]Fact, error) { return DecideReopen(s, "", s.Version) }},
}

// Moves lists what a caller who may manage the report can do to it now. Where
// the reporter has filed anew, the report cannot be opened beside the other one.
func Moves(s State, caller string, filedAnew bool) []Move {
	possible := []Move{}
	for _, m := range moves {
		facts, err := m.decide(s, caller)
		if err != nil || len(facts) == 0 || filedAnew && slices.ContainsFunc(facts, reopens) {
			continue
		}
		possible = append(possible, m.name)
	}
	return possible
}

func reopens(f Fact) bool {
	_, ok := f.(*Reopened)
	return ok
}
