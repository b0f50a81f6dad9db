package schedule

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func at(t testing.TB, text string) time.Time {
	parsed, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return parsed
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, expression := range map[string]string{
		"nothing":            "",
		"white space":        "   ",
		"a word":             "hourly",
		"an unknown name":    "@reboot",
		"four fields":        "* * * *",
		"seven fields":       "* * * * * * *",
		"minute 60":          "60 * * * *",
		"hour 24":            "0 24 * * *",
		"day 0":              "0 0 0 * *",
		"month 13":           "0 0 1 13 *",
		"step 0":             "*/0 * * * *",
		"a range backwards":  "30-10 * * * *",
		"a negative number":  "-1 * * * *",
		"a time zone":        "TZ=Europe/Berlin * * * * *",
		"a time zone alone":  "CRON_TZ=UTC",
		"a bad duration":     "@every soon",
		"a very long text":   strings.Repeat("0,", 1000) + "0 * * * *",
		"a null byte":        "* * * * *\x00",
		"a huge number":      "99999999999999999999 * * * *",
		"two steps":          "*/2/2 * * * *",
		"a line break in it": "* * *\n*",
	} {
		_, err := Parse(expression)
		require.Error(t, err, name)
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, expression, after, want string }{
		{"every minute", "* * * * *", "2026-10-11T19:33:21Z", "2026-10-11T19:34:00Z"},
		{"strictly after", "* * * * *", "2026-10-11T19:33:00Z", "2026-10-11T19:34:00Z"},
		{"a microsecond before", "* * * * *", "2026-10-11T19:32:59.999999Z", "2026-10-11T19:33:00Z"},
		{"seconds first", "*/15 * * * * *", "2026-10-11T19:33:21Z", "2026-10-11T19:33:30Z"},
		{"hourly", "@hourly", "2026-10-11T19:33:21Z", "2026-10-11T20:00:00Z"},
		{"daily", "@daily", "2026-12-31T19:33:21Z", "2027-01-01T00:00:00Z"},
		{"every 90 seconds", "@every 90s", "2026-10-11T19:33:21Z", "2026-10-11T19:34:51Z"},
		{"names of days", "0 9 * * MON-FRI", "2026-10-09T09:00:00Z", "2026-10-12T09:00:00Z"},
		{"in UTC, whatever the time's zone", "0 12 * * *", "2026-10-11T13:00:00+02:00", "2026-10-11T12:00:00Z"},
		{"through a change of summer time", "30 2 * * *", "2026-03-28T02:30:00Z", "2026-03-29T02:30:00Z"},
		{"29 February", "0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
		{"29 February over the year 2100", "0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"},
		{"30 February", "0 0 30 2 *", "2026-01-01T00:00:00Z", ""},
		{"31 April", "0 0 31 4 *", "2026-01-01T00:00:00Z", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Parse(c.expression)
			require.NoError(t, err)

			next, ok := s.Next(at(t, c.after))

			require.Equal(t, c.want != "", ok)
			if ok {
				require.Equal(t, c.want, next.Format(time.RFC3339Nano))
			}
		})
	}
	_, ok := Schedule{}.Next(at(t, "2026-01-01T00:00:00Z"))
	require.False(t, ok, "the zero schedule")
}

func TestDue(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, expression, lastRun, now string
		want                           bool
	}{
		{"never ran", "0 0 1 1 *", "", "2026-10-11T19:33:21Z", true},
		{"never ran and never will", "0 0 30 2 *", "", "2026-10-11T19:33:21Z", false},
		{"ran in this minute", "* * * * *", "2026-10-11T19:33:00Z", "2026-10-11T19:33:59.999999Z", false},
		{"the minute is over", "* * * * *", "2026-10-11T19:33:59.9Z", "2026-10-11T19:34:00Z", true},
		{"an hour missed", "* * * * *", "2026-10-11T18:33:00Z", "2026-10-11T19:33:00Z", true},
		{"ran a moment ago in the future", "* * * * *", "2026-10-11T19:40:00Z", "2026-10-11T19:33:00Z", false},
		{"not yet", "@daily", "2026-10-11T00:00:00Z", "2026-10-11T23:59:59Z", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Parse(c.expression)
			require.NoError(t, err)
			var lastRun *time.Time
			if c.lastRun != "" {
				last := at(t, c.lastRun)
				lastRun = &last
			}
			require.Equal(t, c.want, s.Due(lastRun, at(t, c.now)))
		})
	}
}

// A job that has just run is not due again, and is at its next occurrence.
func TestDueOncePerOccurrence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, err := Parse(rapid.SampledFrom([]string{
			"* * * * *", "*/7 * * * * *", "15 3 * * 1", "0 0 1 * *", "@hourly", "@every 45s",
		}).Draw(t, "schedule"))
		require.NoError(t, err)
		now := time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "now")).UTC()

		require.False(t, s.Due(&now, now))
		next, ok := s.Next(now)
		require.True(t, ok)
		require.False(t, s.Due(&now, next.Add(-time.Microsecond)))
		require.True(t, s.Due(&now, next))
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"* * * * *", "TZ=", "@every 1s", "*/5 1-3,7 * JAN-MAR ?", "@"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		s, err := Parse(expression)
		if err != nil {
			return
		}
		now := at(t, "2026-10-11T19:33:21Z")
		if next, ok := s.Next(now); ok {
			require.True(t, next.After(now))
		}
	})
}
