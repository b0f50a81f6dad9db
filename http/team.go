package http

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/projections"
)

// namedInTeam is how many moderators the header of the board names, each for those who are online
// and those who have claimed reports.
const namedInTeam = 5

// Team has the routes of who works on what.
type Team struct {
	Online  func(ctx context.Context, limit int) (first []moderation.Person, all int, err error)
	Queries *projections.Reports
}

func (a *Team) routes() []route {
	return []route{{http.MethodGet, "/moderation/team", moderator, a.get}}
}

func (a *Team) get(w http.ResponseWriter, r *http.Request) error {
	var team struct {
		Online      []moderation.Person `json:"online"`
		OnlineCount int                 `json:"onlineCount"`
		projections.Work
	}
	var err error
	if team.Online, team.OnlineCount, err = a.Online(r.Context(), namedInTeam); err == nil {
		team.Work, err = a.Queries.Work(r.Context(), coverage(r), namedInTeam)
	}
	return okJSON(w, team, err)
}
