package http

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/docketmod/docket/domain/transparency"
)

func (a *Transparency) publicRoute() route {
	return route{http.MethodGet, "/transparency/{id}", open, byID(a.public)}
}

func (a *Transparency) public(w http.ResponseWriter, r *http.Request, id string) error {
	q := readQuery(r)
	format := q.text("format")
	if format != "" && format != "json" && format != "csv" {
		q.fault("format", "unknown_value", "Must be json or csv.")
	}
	if err := q.Err(); err != nil {
		return err
	}
	published, err := a.Store.Published(r.Context(), id)
	if err != nil || format != "csv" {
		return okJSON(w, published, err)
	}
	var report transparency.Report
	if err := json.Unmarshal(published, &report); err != nil {
		return fmt.Errorf("read a published report: %w", err)
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="transparency-`+report.Since+`-`+report.Until+`.csv"`)
	rows := csv.NewWriter(w)
	_ = rows.Write([]string{"name", "value"})
	for _, c := range report.Cells {
		_ = rows.Write([]string{c.Name, c.Text()}) // an error ends the answer, as Flush does
	}
	rows.Flush()
	return nil
}
