package report

import "slices"

// Move is a command that a moderator can give.
type Move string

// The moves, in the order in which reports list them.
const (
	MoveClaim    Move = "claim"
	MoveAssign   Move = "assign"
	MoveUnassign Move = "unassign"
	MoveResolve  Move = "resolve"
	MoveReopen   Move = "reopen"
	MoveEscalate Move = "escalate"
	MoveReturn   Move = "return"
)

// moves calls the decisions themselves to find out whether a move would do something, so
// that the transitions are defined only once.
var moves = []struct {
	name   Move
	decide func(s State, caller string) ([]Fact, error)
}{
	{MoveClaim, func(s State, caller string) ([]Fact, error) { return DecideClaim(s, caller, s.Version) }},
	{MoveAssign, func(s State, caller string) ([]Fact, error) { return DecideAssign(s, caller, "", s.Version) }},
	{MoveUnassign, func(s State, _ string) ([]Fact, error) { return DecideUnassign(s, s.Version) }},
	{MoveResolve, func(s State, caller string) ([]Fact, error) { return DecideResolve(s, caller, Resolve{}, s.Version) }},
	{MoveReopen, func(s State, caller string) ([]Fact, error) { return DecideReopen(s, caller, "", s.Version) }},
	{MoveEscalate, func(s State, caller string) ([]Fact, error) {
		return DecideEscalate(s, caller, new(string), "", s.Version)
	}},
	{MoveReturn, func(s State, _ string) ([]Fact, error) {
		return DecideReturn(s, func(string) bool { return true }, nil, s.Version)
	}},
}

// Moves returns what a caller who may manage the report can do to it now. refiled means
// that the reporter has another open report for the target, so that this one cannot be
// reopened.
func Moves(s State, caller string, refiled bool) []Move {
	possible := []Move{}
	for _, m := range moves {
		facts, err := m.decide(s, caller)
		if err != nil || len(facts) == 0 || refiled && slices.ContainsFunc(facts, reopens) {
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
