package permission

import (
	"fmt"
	"strings"

	"github.com/docketmod/docket/domain"
)

// Actor is who changes staff entries, as they stand in the change's own
// transaction.
type Actor struct {
	UserID    string
	Admin     *Entry
	Moderator *Entry

	// Operator is somebody at the command line of the server, who has no
	// account: no area, ceiling or own entry limits them. The last root stays all the same.
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
	Before, After *Entry // nil: there is none
	OtherRoots    int    // unrestricted admin entries of other users
}

// Allow tells whether the actor may make the change, by the rules of contract
// section 5: the entry as it stands and as asked fits within what the actor
// holds of that kind, so that only root touches root; nobody changes their own
// entry; the last root stays. A refusal is a CodeForbidden that says why. The
// area that a route asks for is the caller's to check, by Entry.MayEnter.
func (c Change) Allow(actor Actor) error {
	if !actor.Operator {
		if actor.UserID == c.UserID {
			return domain.Errorf(domain.CodeForbidden, "Nobody changes their own staff entry.")
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
		return domain.Errorf(domain.CodeForbidden, "This is the last unrestricted administrator, and one must stay.")
	}
	return nil
}

func (c Change) isRoot(e *Entry) bool { return e != nil && e.Unrestricted }

// maxNamed bounds the grants that a refusal names.
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
