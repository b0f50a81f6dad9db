package event

import (
	"regexp"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain"
)

// Matches reports whether a name matches one of the patterns, which are names or prefixes
// ending in `*`. An empty list matches every name.
func Matches(patterns []string, name string) bool {
	if len(patterns) == 0 {
		return true
	}
	return slices.ContainsFunc(patterns, func(p string) bool {
		if prefix, wild := strings.CutSuffix(p, "*"); wild {
			return strings.HasPrefix(name, prefix)
		}
		return p == name
	})
}

// UnknownEvent is the code of the issue of a pattern that no event can match.
const UnknownEvent = "unknown_event"

// ValidPattern reports whether the pattern can match an event. Events of reports are known by name;
// those of content types depend on the plugins.
func ValidPattern(pattern string) bool {
	if len(pattern) > maxName || !domain.Storable(pattern) {
		return false
	}
	prefix, wild := strings.CutSuffix(pattern, "*")
	switch {
	case strings.Contains(prefix, "*"):
		return false
	case strings.HasPrefix(prefix, "content."):
		return true
	case !wild:
		return slices.Contains(ReportNames, pattern)
	case strings.HasPrefix("content.", prefix):
		return true
	}
	return slices.ContainsFunc(ReportNames, func(name string) bool { return strings.HasPrefix(name, prefix) })
}

var pluginName = regexp.MustCompile(`^content(\.[A-Za-z0-9_-]+)+$`)

// ValidPluginName reports whether a plugin may publish events of this name, which brokers use as a topic.
func ValidPluginName(name string) bool { return len(name) <= maxName && pluginName.MatchString(name) }
