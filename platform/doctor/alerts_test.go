package doctor

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The doctor, the alerts and the dashboard agree on when something is old.
func TestAlertsAgreeOnWhatIsOld(t *testing.T) {
	t.Parallel()
	const deploy = "../../scripts/deploy/"
	for text, files := range map[string][]string{
		fmt.Sprintf("(docket_backup_timestamp_seconds) > %d", backupOld/time.Second):         {"prometheus/rules.yaml"},
		fmt.Sprintf("(docket_checkpoint_timestamp_seconds) > %d", checkpointOld/time.Second): {"prometheus/rules.yaml"},
		fmt.Sprintf(`"value": %d`, backupOld/time.Second):                                    {"grafana/dashboard.json"},
		fmt.Sprintf("older than %d hours", backupOld/time.Hour):                              {"OPERATING.md"},
		fmt.Sprintf("fires after %d hours", backupOld/time.Hour):                             {"../../docs/operate.md"},
	} {
		for _, file := range files {
			content, err := os.ReadFile(deploy + file)
			require.NoError(t, err)
			require.Contains(t, string(content), text, file)
		}
	}
}
