package projections

import "github.com/docketmod/docket/domain/report"

// reportAuthor is an author of the content of a done report.
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

// keptAuthors returns the authors of content with an erased snapshot, in the format of snapshots;
// nil if there are none.
func keptAuthors(ids []string) *string {
	type author struct {
		ID string `json:"id"`
	}
	all := make([]author, len(ids))
	for i, id := range ids {
		all[i].ID = id
	}
	return jsonColumn(all)
}

// authorRow are the columns of core_moderation_report_authors, which triggers write when a report's status or resolution
// changes.
var authorRow = []field[reportAuthor]{
	column("report_id", "uuid", func(a *reportAuthor) string { return a.report.ID }),
	column("plugin_id", "text", func(a *reportAuthor) string { return a.report.Target.PluginID }),
	column("author", "text", func(a *reportAuthor) string { return a.author }),
	column("target_type", "text", func(a *reportAuthor) string { return a.report.Target.Type }),
	column("target_id", "text", func(a *reportAuthor) string { return a.report.Target.ID }),
	column("resolution", "text", func(a *reportAuthor) *report.Resolution { return a.report.Resolution }),
}
