package projections

import "github.com/docketmod/docket/domain/report"

// reportAuthor is an author of the content of a report that is done.
type reportAuthor struct {
	report *report.State
	author string
}

func authorsOf(reports []projected) (all []reportAuthor) {
	for i := range reports {
		for _, a := range reports[i].authors {
			all = append(all, reportAuthor{&reports[i].state, a})
		}
	}
	return all
}

// keptAuthors returns the authors of content whose snapshot was erased, in the form in which
// snapshots have them; nil if there are none.
func keptAuthors(ids []string) *string {
	type author struct {
		ID string `json:"id"`
	}
	all := make([]author, len(ids))
	for i, id := range ids {
		all[i].ID = id
	}
	return jsonColumn(all, len(all) == 0)
}

// authorRow is what triggers store when a report's status or resolution changes.
var authorRow = []field[reportAuthor]{
	{"report_id", "uuid", each(func(a *reportAuthor) string { return a.report.ID })},
	{"plugin_id", "text", each(func(a *reportAuthor) string { return a.report.Target.PluginID })},
	{"author", "text", each(func(a *reportAuthor) string { return a.author })},
	{"target_type", "text", each(func(a *reportAuthor) string { return a.report.Target.Type })},
	{"target_id", "text", each(func(a *reportAuthor) string { return a.report.Target.ID })},
	{"resolution", "text", each(func(a *reportAuthor) *report.Resolution { return a.report.Resolution })},
}
