package permission

import (
	"fmt"
	"strings"

	"github.com/docketmod/docket/domain"
)

// Actor is the user who changes staff entries, with their entries as of the change's transaction.
type Actor struct {
	UserID    string
	Admin     *Entry
	Moderator *Entry

	// Operator means a user of the server's command line, who has no account. The rules
	// about areas, grants and own entries do not apply; the one about the last root does.
	Operator bool
}

func (a Actor) held(k Kind) *Entry {
	if k == Admin {
		return a.Admin
	}
	return a.Moderator
}

// Change is a change of one staff entry.
type Change struct {
	Kind          Kind
	UserID        string // whose entry it is
	Before, After *Entry // nil if there is none
	OtherRoots    int    // unrestricted admin entries of other users
}

// Allow returns nil if the actor may make the change, or a CodeForbidden that says why not.
// The entry must fit within what the actor holds of its kind, both before and after the
// change, so that only root changes root. Nobody may change their own entry. One root must
// remain. Allow does not check areas; callers do, with Entry.MayEnter.
func (c Change) Allow(actor Actor) error {
	if !actor.Operator {
		if actor.UserID == c.UserID {
			return domain.Errorf(domain.CodeForbidden, "You cannot change your own staff entry.")
		}
		held := actor.held(c.Kind)
		if !Within(c.Before, held) {
			return c.refusal("This entry allows more than your own", c.Before, held)
		}
		if !Within(c.After, held) {
			return c.refusal("You can only grant what you hold yourself", c.After, held)
		}
	}
	if c.Kind == Admin && c.isRoot(c.Before) && !c.isRoot(c.After) && c.OtherRoots == 0 {
		return domain.Errorf(domain.CodeForbidden, "This is the last unrestricted administrator; one must remain.")
	}
	return nil
}

func (c Change) isRoot(e *Entry) bool { return e != nil && e.Unrestricted }

// maxNamed is how many grants a refusal names.
const maxNamed = 5

func (c Change) refusal(why string, asked, held *Entry) error {
	var named []string
	if exceedsWholly(asked, held) {
		named = append(named, "unrestricted")
	}
	for _, g := range Exceeding(asked, held) {
		if len(named) == maxNamed {
			named = append(named, "and more")
			break
		}
		named = append(named, g.describe())
	}
	return domain.Errorf(domain.CodeForbidden, "%s: %s.", why, strings.Join(named, ", "))
}

func (g Grant) describe() string {
	if g.Scope == nil {
		return g.Key()
	}
	return fmt.Sprintf("%s (%s of %s)", g.Key(), g.Scope.Mode, g.Scope.Family)
}

// Within reports whether the outer entry allows everything that the inner one allows. A nil
// entry allows nothing. Changes of staff entries are checked with it, so that nobody can
// grant or revoke what they do not hold.
func Within(inner, outer *Entry) bool {
	return len(Exceeding(inner, outer)) == 0 && !exceedsWholly(inner, outer)
}

// Exceeding returns the grants of inner that outer does not hold, or only in a smaller
// scope, in the order of inner. It does not consider whether inner is unrestricted; Within
// does.
func Exceeding(inner, outer *Entry) []Grant {
	if inner == nil || outer != nil && outer.Unrestricted {
		return nil
	}
	var held map[key]*reach
	if outer != nil {
		held = reachOf(outer.Grants)
	}
	var exceeding []Grant
	for _, g := range inner.Grants {
		if !held[g.key()].contains(g.Scope) {
			exceeding = append(exceeding, g)
		}
	}
	return exceeding
}

func exceedsWholly(inner, outer *Entry) bool {
	return inner != nil && inner.Unrestricted && (outer == nil || !outer.Unrestricted)
}
