package fleet

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Differences names the differences between servers, sorted, each with the values and how many
// servers have them: "SMTP_URL: set on 1, unset on 2".
func Differences(servers []Server) []string {
	values := map[string]map[string]int{} // name to value to servers
	note := func(name, value string) {
		if values[name] == nil {
			values[name] = map[string]int{}
		}
		values[name][value]++
	}
	for _, s := range servers {
		note("release", s.Release)
		for name, value := range s.Settings {
			note(name, value)
		}
		for _, task := range s.Handles {
			note("task "+task, "taken")
		}
	}
	var found []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		var shares []string
		for _, value := range slices.Sorted(maps.Keys(values[name])) {
			if values[name][value] < len(servers) {
				shares = append(shares, fmt.Sprintf("%s on %d", value, values[name][value]))
			}
		}
		if len(shares) > 0 {
			found = append(found, name+": "+strings.Join(shares, ", "))
		}
	}
	return found
}
