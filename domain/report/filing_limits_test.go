package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

func TestTrustedFlaggersTryAndFileMoreOften(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	for flagger, atMost := range map[string]int{"": 120, "Hotline": 600} {
		attempts := report.Attempts{Count: atMost, Oldest: now.Add(-time.Minute), Flagger: flagger}
		require.NoError(t, attempts.Check(now), "%q: the last one", flagger)
		attempts.Count++
		require.Equal(t, domain.CodeRateLimited, domain.ErrorCode(attempts.Check(now)), "%q: one more", flagger)
	}
	for source, atMost := range map[report.Source]int{"": 20, report.FromMember: 20, report.FromHost: 20, report.FromNotice: 20, report.FromTrustedFlagger: 600} {
		require.Equal(t, atMost, source.FilingsPerHour(), source)
	}
}
