package moderation

import (
	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// ReportMeasure is a measure as its report shows it.
type ReportMeasure struct {
	MeasureID string          `json:"measureId"`
	Author    measure.Author  `json:"author"`
	Kind      measure.Kind    `json:"kind"`
	Until     *domain.Time    `json:"until"` // null without an end
	Because   measure.Because `json:"because"`
	EndedAt   *domain.Time    `json:"endedAt"` // null while it stands
	EndedBy   *measure.End    `json:"endedBy"`
	DeliveryView
}

// DeliveryView says whether the platform has carried out the last request about a measure: to apply
// it or, once it has ended, to lift it.
type DeliveryView struct {
	Pending bool `json:"pending"`
	Failed  bool `json:"failed"` // it refused, or could not be reached
}

func viewDelivery(d report.Delivery) DeliveryView {
	return DeliveryView{Pending: d == report.DeliveryPending, Failed: d == report.DeliveryFailed}
}

func viewReportMeasures(s *report.State) []ReportMeasure {
	return domain.Map(s.Measures, func(m report.Measure) ReportMeasure {
		return ReportMeasure{m.ID, m.Author, m.Kind, domain.TimeOf(m.Until), m.Because, domain.TimeOf(m.EndedAt), endOf(m), viewDelivery(m.Delivery)}
	})
}

func endOf(m report.Measure) *measure.End {
	if m.EndedAt == nil {
		return nil
	}
	return &m.EndedBy
}

// MeasureView is a measure in the list of measures.
type MeasureView struct {
	ID        string          `json:"id"`
	ReportID  string          `json:"reportId"`
	Version   int             `json:"version"` // the report's
	Author    MeasuredAuthor  `json:"author"`
	Kind      measure.Kind    `json:"kind"`
	Until     *domain.Time    `json:"until"`
	Policy    *policy.Ref     `json:"policy"`
	Because   measure.Because `json:"because"`
	Threshold *int            `json:"threshold"` // the strikes for which the ladder proposed it
	ImposedAt domain.Time     `json:"imposedAt"`
	ImposedBy *Person         `json:"imposedBy"`
	EndedAt   *domain.Time    `json:"endedAt"`
	EndedBy   *measure.End    `json:"endedBy"`
	DeliveryView
}

// MeasuredAuthor is an author on whom a measure was imposed.
type MeasuredAuthor struct {
	measure.Author
	Name    *string `json:"name"` // as the snapshot has it; null once erased
	Account *Person `json:"account"`
}

// ViewMeasure returns a measure as lists show it.
func ViewMeasure(m StoredMeasure) MeasureView {
	v := MeasureView{ID: m.ID, ReportID: m.ReportID, Version: m.Version, Author: MeasuredAuthor{m.Author, m.Name, m.Account}, Kind: m.Kind, Until: domain.TimeOf(m.Until),
		Policy: m.Policy, Because: m.Because, ImposedAt: domain.Time(m.ImposedAt), ImposedBy: m.Imposer, EndedAt: domain.TimeOf(m.EndedAt), EndedBy: endOf(m.Measure), DeliveryView: viewDelivery(m.Delivery)}
	if m.Because == measure.ByLadder {
		v.Threshold = &m.Threshold
	}
	return v
}

// MemberMeasure is a measure as the account on which it was imposed sees it.
type MemberMeasure struct {
	ID        string       `json:"id"`
	ReportID  string       `json:"reportId"` // whose decision can be appealed
	Kind      measure.Kind `json:"kind"`
	Until     *domain.Time `json:"until"`
	Policy    *policy.Ref  `json:"policy"`
	ImposedAt domain.Time  `json:"imposedAt"`
}

// ViewMemberMeasure returns a measure for the account on which it was imposed.
func ViewMemberMeasure(m StoredMeasure) MemberMeasure {
	return MemberMeasure{m.ID, m.ReportID, m.Kind, domain.TimeOf(m.Until), m.Policy, domain.Time(m.ImposedAt)}
}
