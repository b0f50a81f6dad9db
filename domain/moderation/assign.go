package moderation

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

// Claim assigns the report to the caller.
func (s *Service) Claim(ctx context.Context, a *Authorized, expectedVersion int) (*Report, error) {
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		return report.DecideClaim(st, a.Caller.UserID, expectedVersion)
	})
}

// Assign assigns the report to a user who may manage it. Assigning it to its present
// assignee changes nothing, even if that user may no longer manage it.
func (s *Service) Assign(ctx context.Context, a *Authorized, assigneeID string, expectedVersion int) (*Report, error) {
	able, err := s.candidates(ctx, a, permission.ManageReports, "", assigneeID)
	if err != nil {
		return nil, err
	}
	r, err := s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		if len(able) == 0 && !st.HeldBy(assigneeID) {
			return nil, notAssignable()
		}
		return report.DecideAssign(st, a.Caller.UserID, assigneeID, expectedVersion)
	})
	if errors.Is(err, ErrAccountGone) && assigneeID != a.Caller.UserID {
		return nil, notAssignable()
	}
	return r, err
}

func notAssignable() error {
	return domain.Invalid(domain.Issue{Path: "assigneeId", Code: "not_assignable",
		Message: "This user may not manage the report. Choose somebody who may."})
}

// Unassign puts the report back into the queue.
func (s *Service) Unassign(ctx context.Context, a *Authorized, expectedVersion int) (*Report, error) {
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) { return report.DecideUnassign(st, expectedVersion) })
}

// Assignees lists the users to whom the report may be assigned, ordered by name.
func (s *Service) Assignees(ctx context.Context, a *Authorized, search string) ([]Person, error) {
	return s.candidates(ctx, a, permission.ManageReports, search, "")
}

// candidates returns the moderators who hold the permission for the report's target, ordered by name.
func (s *Service) candidates(ctx context.Context, a *Authorized, need, search, id string) ([]Person, error) {
	t := a.Report.Target
	found, err := s.staff.Moderators(ctx, t.PluginID, t.PermissionModule, need, search, id)
	return able(found, a.Report, need), err
}

// able returns those moderators who hold the permission for the report and can open it, ordered by name.
func able(found []Candidate, r *Stored, need string) []Person {
	able := []Person{}
	for _, c := range found {
		holds := permission.Caller{Moderator: &c.Entry}
		if allows(&holds, r, need) && allows(&holds, r, permission.ViewReports) {
			able = append(able, c.Person)
		}
	}
	slices.SortFunc(able, func(x, y Person) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), strings.Compare(x.ID, y.ID))
	})
	return able
}
