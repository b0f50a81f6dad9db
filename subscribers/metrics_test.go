package subscribers

import (
	"io"
	"strings"
)

func metricsWanted() io.Reader {
	return strings.NewReader(`
# HELP docket_subscriber_attempts_total Events given to a listener, by group and outcome (handled, failed, later).
# TYPE docket_subscriber_attempts_total counter
docket_subscriber_attempts_total{group="counts",outcome="failed"} 4
docket_subscriber_attempts_total{group="counts",outcome="handled"} 3
docket_subscriber_attempts_total{group="counts",outcome="later"} 0
# HELP docket_subscriber_poisoned_total Events set aside after every retry failed, by group.
# TYPE docket_subscriber_poisoned_total counter
docket_subscriber_poisoned_total{group="counts"} 1
# HELP docket_subscriber_lag_messages Messages a group has not read, at most 10000.
# TYPE docket_subscriber_lag_messages gauge
docket_subscriber_lag_messages{group="counts"} 0
# HELP docket_subscriber_lag_seconds Age of the oldest message a group has not read, 0 when there is none.
# TYPE docket_subscriber_lag_seconds gauge
docket_subscriber_lag_seconds{group="counts"} 0
`)
}
