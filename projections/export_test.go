package projections

import "github.com/docketmod/docket/domain/permission"

// ListQuery lets tests explain what a list runs.
var ListQuery = listQuery

// TotalQuery lets tests explain what counts a list by its rows.
var TotalQuery = totalQuery

// SelectIncomplete lets tests explain how Mend finds rows.
const SelectIncomplete = selectIncomplete

// ReserveQuery lets tests explain how the next case is found.
func (p *Reports) ReserveQuery(c permission.Coverage, f Filter, w WaitsFor) (string, []any, error) {
	return p.reserve(c, c, f, w).ToSql()
}

// CandidatesQuery, UnreadQuery, LinkCountsQuery and PrecedentsQuery let tests explain how look-alikes are found.
var (
	CandidatesQuery = candidatesQuery
	UnreadQuery     = unreadQuery
	LinkCountsQuery = linkCountsQuery
	PrecedentsQuery = precedentsQuery
)

// LatestKept, SelectKept, TrimSource and OpenOn let tests explain how signals and their reports are found.
const (
	LatestKept = latestKept
	SelectKept = selectKept
	TrimSource = trimSource
	OpenOn     = selectOpenOn
)
