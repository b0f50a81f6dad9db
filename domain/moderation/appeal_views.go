package moderation

import (
	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// AppealView is an appeal as those who decide it see it.
type AppealView struct {
	ID         string              `json:"id"`
	ReportID   string              `json:"reportId"`
	By         report.Role         `json:"by"`
	Appellant  *Person             `json:"appellant"`
	Text       *string             `json:"text"` // null once erased
	Status     report.AppealStatus `json:"status"`
	CreatedAt  domain.Time         `json:"createdAt"`
	DecidedAt  *domain.Time        `json:"decidedAt"`
	DecidedBy  *Person             `json:"decidedBy"`
	Reply      *string             `json:"reply"`
	Superseded bool                `json:"superseded"` // closed because the decision was replaced
	Version    int                 `json:"version"`    // the report's
	Report     any                 `json:"report"`     // a Summary in lists, else the Report
}

// ViewAppeal returns an appeal with its report, which is a Summary or a *Report.
func ViewAppeal(a StoredAppeal, version int, shown any) AppealView {
	return AppealView{ID: a.ID, ReportID: a.ReportID, By: a.By, Appellant: a.Appellant, Text: a.Text, Status: a.Status,
		CreatedAt: domain.Time(a.CreatedAt), DecidedAt: domain.TimeOf(a.DecidedAt), DecidedBy: a.Decider, Reply: a.Reply,
		Superseded: a.Superseded, Version: version, Report: shown}
}

// MemberAppeal is an appeal as its appellant sees it.
type MemberAppeal struct {
	ID        string              `json:"id"`
	Text      *string             `json:"text"`
	Status    report.AppealStatus `json:"status"`
	CreatedAt domain.Time         `json:"createdAt"`
	DecidedAt *domain.Time        `json:"decidedAt"`
	Reply     *string             `json:"reply"`
}

// ViewMemberAppeal returns an appeal for its appellant.
func ViewMemberAppeal(a StoredAppeal) *MemberAppeal {
	return &MemberAppeal{ID: a.ID, Text: a.Text, Status: a.Status, CreatedAt: domain.Time(a.CreatedAt), DecidedAt: domain.TimeOf(a.DecidedAt), Reply: a.Reply}
}
