package check

import (
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

// compose loads compose.yaml as docker compose does, by the specification's own schema.
func compose(t *testing.T, environment map[string]string) (*types.Project, error) {
	t.Helper()
	return loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir: "..", ConfigFiles: []types.ConfigFile{{Filename: "../compose.yaml"}}, Environment: environment,
	}, func(o *loader.Options) { o.SetProjectName("docket", true) })
}

func TestComposeIsValid(t *testing.T) {
	_, err := compose(t, nil)
	require.ErrorContains(t, err, "set it in docket.env", "what has no default must be filled in")

	project, err := compose(t, map[string]string{"POSTGRES_PASSWORD": "p", "DOCKET_BASE_URL": "https://moderation.example", "CRON_SECRET": "s", "DOCKET_AUDIT_KEY": "k"})

	require.NoError(t, err)
	require.Equal(t, []string{"docket", "migrate", "postgres"}, project.ServiceNames())
	for _, name := range []string{"docket", "migrate"} {
		s := project.Services[name]
		require.True(t, s.ReadOnly, name)
		require.Equal(t, []string{"ALL"}, s.CapDrop, name)
		require.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt, name)
		require.Equal(t, "https://moderation.example", *s.Environment["DOCKET_BASE_URL"])
	}
	require.Equal(t, types.ServiceConditionCompletedSuccessfully, project.Services["docket"].DependsOn["migrate"].Condition)
	require.Equal(t, types.ServiceConditionHealthy, project.Services["migrate"].DependsOn["postgres"].Condition)
}
