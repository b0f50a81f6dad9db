package http

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/subscribers/notice"
)

// Notices has the routes of the caller's notices.
type Notices struct {
	Store *notice.Store
}

func (a *Notices) routes() []route {
	return []route{
		{http.MethodGet, "/users/notices", signedIn, a.list},
		{http.MethodPost, "/users/notices/{id}/read", reporter, byID(a.read)},
	}
}

type noticeView struct {
	ID          string        `json:"id"`
	ReportID    string        `json:"reportId"`
	Target      notice.Target `json:"target"`
	Resolution  string        `json:"resolution"`
	Explanation *string       `json:"explanation"`
	CreatedAt   domain.Time   `json:"createdAt"`
	ReadAt      *domain.Time  `json:"readAt"`

	Kind            notice.Kind     `json:"kind"`
	Subject         string          `json:"subject"`
	Paragraphs      []string        `json:"paragraphs"` // the whole text, in the language asked for
	Policy          *policy.Ref     `json:"policy"`
	Reasons         json.RawMessage `json:"reasons"`
	AppealableUntil *domain.Time    `json:"appealableUntil"`
	Outcome         *string         `json:"outcome"`
	Reply           *string         `json:"reply"`
	Measure         *noticeMeasure  `json:"measure"`
}

// noticeMeasure is a measure that was imposed or, with endedBy, has ended, and the latest ends of
// the measures in force after that.
type noticeMeasure struct {
	moderation.ProposalMeasure
	EndedBy  *measure.End                 `json:"endedBy"`
	Standing []moderation.ProposalMeasure `json:"standing"`
}

func viewNoticeMeasure(n notice.Notice) *noticeMeasure {
	m := n.Measure
	if n.Kind != notice.MeasureKind || m == nil {
		return nil
	}
	view := &noticeMeasure{ProposalMeasure: moderation.ProposalMeasure{Kind: m.Kind, Until: domain.TimeOf(m.Until)}, Standing: []moderation.ProposalMeasure{}}
	if m.EndedBy != "" {
		view.EndedBy = &m.EndedBy
	}
	for _, s := range m.Standing {
		view.Standing = append(view.Standing, moderation.ProposalMeasure{Kind: s.Kind, Until: domain.TimeOf(s.Until)})
	}
	return view
}

func (a *Notices) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	locale, unread := q.locale(), q.flag("unread")
	request, err := q.page(notice.List)
	if err != nil {
		return err
	}
	page, err := a.Store.List(r.Context(), callerOf(r).UserID, unread, request)
	return okJSON(w, paging.Map(page, func(n notice.Notice) noticeView {
		language := cmp.Or(locale, n.Locale)
		return noticeView{ID: n.ID, ReportID: n.ReportID, Target: n.Target, Resolution: n.Resolution, Explanation: n.Explanation,
			CreatedAt: domain.Time(n.CreatedAt), ReadAt: domain.TimeOf(n.ReadAt), Kind: n.Kind,
			Subject: a.Store.Subject(n, language), Paragraphs: a.Store.Paragraphs(n, language),
			Policy: n.Policy, Reasons: n.Reasons, AppealableUntil: domain.TimeOf(n.AppealableUntil), Outcome: n.Outcome, Reply: n.Reply,
			Measure: viewNoticeMeasure(n)}
	}), err)
}

func (a *Notices) read(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Store.MarkRead(r.Context(), callerOf(r).UserID, id))
}
