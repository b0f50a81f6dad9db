package projections

import "github.com/docketmod/docket/domain/report"

// authored is an author of a report that is done.
type authored struct {
	report *report.State
	author string
}

func authorsOf(reports []projected) (all []authored) {
	for i := range reports {
		for _, a := range reports[i].authors {
			all = append(all, authored{&reports[i].state, a})
		}
	}
	return all
}

// authorRow is what triggers store when a report's status or resolution changes.
var authorRow = []field[authored]{
	{"report_id", "uuid", each(func(a *authored) string { return a.report.ID })},
	{"plugin_id", "text", each(func(a *authored) string { return a.report.Target.PluginID })},
	{"author", "text", each(func(a *authored) string { return a.author })},
	{"target_type", "text", each(func(a *authored) string { return a.report.Target.Type })},
	{"target_id", "text", each(func(a *authored) string { return a.report.Target.ID })},
	{"resolution", "text", each(func(a *authored) *report.Resolution { return a.report.Resolution })},
}
