package report

import "slices"

// Move is a command that a moderator can run on a report.
type Move string

// The moves, in the order in which reports list them.
const (
	MoveClaim    Move = "claim"
	MoveAssign   Move = "assign"
	MoveUnassign Move = "unassign"
	MoveResolve  Move = "resolve"
	MoveReopen   Move = "reopen"
)

// The handovers: the moves that hand a report to others.
const (
	MoveEscalate Move = "escalate"
	MoveReturn   Move = "return"
)

// possible runs the decision itself to see whether a move would do something, so that the
// transitions are defined only once.
type possible struct {
	name   Move
	decide func(s State, caller string) ([]Fact, error)
}

var moves = []possible{
	{MoveClaim, func(s State, caller string) ([]Fact, error) { return DecideClaim(s, caller, s.Version) }},
	{MoveAssign, func(s State, caller string) ([]Fact, error) { return DecideAssign(s, caller, "", s.Version) }},
	{MoveUnassign, func(s State, _ string) ([]Fact, error) { return DecideUnassign(s, s.Version) }},
	{MoveResolve, func(s State, caller string) ([]Fact, error) { return DecideResolve(s, caller, Resolve{}, s.Version) }},
	{MoveReopen, func(s State, caller string) ([]Fact, error) { return DecideReopen(s, caller, "", s.Version) }},
}

var handovers = []possible{
	{MoveEscalate, func(s State, caller string) ([]Fact, error) {
		return DecideEscalate(s, caller, new(string), "", s.Version)
	}},
	{MoveReturn, func(s State, _ string) ([]Fact, error) {
		return DecideReturn(s, func(string) bool { return true }, nil, s.Version)
	}},
}

// Moves returns what a caller who may manage the report can do with it now. refiled means that it
// cannot be reopened, because the reporter has another open report on the target.
func Moves(s State, caller string, refiled bool) []Move {
	return offered(moves, s, caller, refiled)
}

// Handovers returns how a caller who may manage the report can hand it to others now.
func Handovers(s State, caller string) []Move { return offered(handovers, s, caller, false) }

func offered(among []possible, s State, caller string, refiled bool) []Move {
	names := []Move{}
	for _, m := range among {
		facts, err := m.decide(s, caller)
		if err != nil || len(facts) == 0 || refiled && slices.ContainsFunc(facts, reopens) {
			continue
		}
		names = append(names, m.name)
	}
	return names
}

func reopens(f Fact) bool {
	_, ok := f.(*Reopened)
	return ok
}
