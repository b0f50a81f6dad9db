package projections

import (
	"crypto/sha256"
	"fmt"

	"github.com/docketmod/docket/domain/report"
)

// openKey returns the key whose unique index allows one open report per reporter and target.
func openKey(reporterID *string, t report.Target) []byte {
	if reporterID == nil {
		return nil
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", *reporterID, t.PluginID, t.Type, t.ID))
	return key[:]
}

// openKeyOf returns the open key of a report, or nil if it is done.
func openKeyOf(s report.State) []byte {
	if s.Status == report.Done {
		return nil
	}
	return openKey(s.ReporterID, s.Target)
}
