package http

import (
	"fmt"
	"net/http"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/statement"
)

func (a *Statements) previewRoute() route {
	return route{http.MethodPost, "/moderation/reports/{id}/statement", moderator, byID(a.preview)}
}

// maxPreviewed is how many actions a decision may have for its statement to be previewed.
const maxPreviewed = 20

// preview returns the statement of a decision that is not made yet. Nothing is stored.
func (a *Statements) preview(w http.ResponseWriter, r *http.Request, id string) error {
	at, err := a.Moderation.Authorize(r.Context(), callerOf(r), id, permission.ViewReports)
	if err != nil {
		return err
	}
	b := readBody(w, r)
	cited, actions := b.optionalPolicy("policy"), b.texts("actions")
	if len(actions) > maxPreviewed {
		b.fault("actions", "too_many", fmt.Sprintf("Must be at most %d actions.", maxPreviewed))
	}
	measures := b.measures(report.ActionTaken, a.Moderation.Now())
	if err := b.Err(); err != nil {
		return err
	}
	made, missing, err := a.Store.Preview(r.Context(), at.Report.ID, cited, actions, measures)
	if missing == nil {
		missing = []statement.Missing{}
	}
	return okJSON(w, struct {
		Statement *statement.Statement `json:"statement"`
		Missing   []statement.Missing  `json:"missing"`
	}{made, missing}, err)
}
