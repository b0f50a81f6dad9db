// Package replay folds the log into the report queue at a point in time. Other modules must not import it.
package replay

import (
	"cmp"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// Queue folds the log into the report queue at a point in time. It stores the state of each report
// without texts, a few hundred bytes.
type Queue struct {
	at      time.Time
	reports map[string]report.State
}

// NewQueue returns a queue without reports.
func NewQueue(at time.Time) *Queue {
	return &Queue{at: at, reports: map[string]report.State{}}
}

// Apply folds the next event of the log, unless it happened after the moment. Within a report,
// times follow the sequence; across reports, they need not follow the position.
func (q *Queue) Apply(e report.Event) {
	if e.OccurredAt.After(q.at) {
		return
	}
	q.reports[e.ReportID] = report.Evolve(q.reports[e.ReportID], e)
}

// QueueCounts are the counts of the board, without those of the caller's own reports.
type QueueCounts struct {
	New        int `json:"new"`
	InProgress int `json:"inProgress"`
	Done       int `json:"done"`
	Unassigned int `json:"unassigned"` // and not done
}

// QueueReport is a report in the queue, by ids and without texts.
type QueueReport struct {
	ID         string             `json:"id"`
	Status     report.Status      `json:"status"`
	Version    int                `json:"version"`
	Sequence   int                `json:"sequence"`
	Reason     report.Reason      `json:"reason"`
	PluginID   string             `json:"pluginId"`
	TargetType string             `json:"targetType"`
	TargetID   string             `json:"targetId"`
	ReporterID *string            `json:"reporterId"`
	AssigneeID *string            `json:"assigneeId"`
	ResolverID *string            `json:"resolverId"`
	Resolution *report.Resolution `json:"resolution"`
	NoteCount  int                `json:"noteCount"`
	CreatedAt  domain.Time        `json:"createdAt"`
	UpdatedAt  domain.Time        `json:"updatedAt"`
	ResolvedAt *domain.Time       `json:"resolvedAt"`
}

// QueueView is the queue as it stood.
type QueueView struct {
	At      domain.Time   `json:"at"`
	Counts  QueueCounts   `json:"counts"`
	Reports []QueueReport `json:"reports"` // newest first, as the board has them
}

// View counts all reports and lists those of the statuses.
func (q *Queue) View(statuses ...report.Status) QueueView {
	v := QueueView{At: domain.Time(q.at), Reports: []QueueReport{}}
	for _, s := range q.reports {
		v.Counts.count(s)
		if slices.Contains(statuses, s.Status) {
			v.Reports = append(v.Reports, queueReport(s))
		}
	}
	slices.SortFunc(v.Reports, func(a, b QueueReport) int {
		return cmp.Or(time.Time(b.CreatedAt).Compare(time.Time(a.CreatedAt)), cmp.Compare(b.ID, a.ID))
	})
	return v
}

func (c *QueueCounts) count(s report.State) {
	switch s.Status {
	case report.New:
		c.New++
	case report.InProgress:
		c.InProgress++
	case report.Done:
		c.Done++
		return
	}
	if s.AssigneeID == nil {
		c.Unassigned++
	}
}

func queueReport(s report.State) QueueReport {
	return QueueReport{ID: s.ID, Status: s.Status, Version: s.Version, Sequence: s.Sequence, Reason: s.Reason,
		PluginID: s.Target.PluginID, TargetType: s.Target.Type, TargetID: s.Target.ID,
		ReporterID: s.ReporterID, AssigneeID: s.AssigneeID, ResolverID: s.ResolverID, Resolution: s.Resolution, NoteCount: s.NoteCount,
		CreatedAt: domain.Time(s.CreatedAt), UpdatedAt: domain.Time(s.UpdatedAt), ResolvedAt: domain.TimeOf(s.ResolvedAt)}
}
