package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

func (a *Reports) file(w http.ResponseWriter, r *http.Request) error {
	caller := callerOf(r)
	if caller.Use == permission.UseHost {
		return a.fileForMember(w, r, caller)
	}
	tooMany := a.Moderation.CountAttempt(r.Context(), caller)
	if tooMany != nil && domain.ErrorCode(tooMany) == "" {
		return tooMany
	}
	b := readBody(w, r)
	filing, issues := a.Moderation.ValidateFiling(filingOf(b))
	b.add(issues)
	if err := b.Err(); err != nil {
		return err
	}
	if tooMany != nil {
		return tooMany
	}
	return a.fileAs(w, r, caller, filing)
}

// filingOf reads the fields of a filing.
func filingOf(b *body) moderation.FileRequest {
	return moderation.FileRequest{
		PluginID: b.text("pluginId"), TargetType: b.text("targetType"), TargetID: b.text("targetId"),
		Locale: b.optionalText("locale"), RequestedLocale: b.optionalText("requestedLocale"),
		Reason: b.text("reason"), Description: b.optionalText("description"),
	}
}

// fileAs files and answers; the reporter learns nothing but the id.
func (a *Reports) fileAs(w http.ResponseWriter, r *http.Request, caller *permission.Caller, filing moderation.ValidFiling) error {
	filed, err := a.Moderation.File(r.Context(), caller, filing)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, struct {
		ID      string        `json:"id"`
		Status  report.Status `json:"status"`
		Version int           `json:"version"`
	}{filed.ID, filed.Status, filed.Version})
}
