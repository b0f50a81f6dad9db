package check

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// built is what kubectl apply -k sends.
func built(t *testing.T) resmap.ResMap {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS("../kubernetes")))
	example, err := os.ReadFile(filepath.Join(folder, "secret.env.example"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "secret.env"), example, 0o600))
	all, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	require.NoError(t, err)
	return all
}

// closed lets an object hold what its schema names and nothing else, so that a misspelt
// field is a fault.
func closed(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		if _, object := s["properties"].(map[string]any); object && s["additionalProperties"] == nil {
			s["additionalProperties"] = false
		}
		for _, inner := range s {
			closed(inner)
		}
	case []any:
		for _, inner := range s {
			closed(inner)
		}
	}
}

// schemas are those that Kubernetes publishes, as kustomize holds them.
func schemas(t *testing.T) *jsonschema.Compiler {
	t.Helper()
	published, err := json.Marshal(openapi.Schema())
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(published))
	require.NoError(t, err)
	definitions := document.(map[string]any)["definitions"].(map[string]any)
	require.Greater(t, len(definitions), 500)
	// Either a number or a name, which the publication calls a string.
	definitions["io.k8s.apimachinery.pkg.util.intstr.IntOrString"] = map[string]any{"type": []any{"string", "integer"}}
	closed(definitions)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft4)
	require.NoError(t, c.AddResource("kubernetes.json", map[string]any{"definitions": definitions}))
	return c
}

func TestManifestsFitKubernetesSchemas(t *testing.T) {
	published := schemas(t)
	kinds := map[string]string{
		"Namespace": "core.v1", "ConfigMap": "core.v1", "Secret": "core.v1", "Service": "core.v1",
		"Deployment": "apps.v1", "Job": "batch.v1", "PodDisruptionBudget": "policy.v1",
	}
	seen := map[string]int{}
	for _, r := range built(t).Resources() {
		kind := r.GetKind()
		seen[kind]++
		require.Contains(t, kinds, kind)
		require.Equal(t, strings.TrimPrefix(strings.ReplaceAll(kinds[kind], ".", "/"), "core/"), r.GetApiVersion())
		schema, err := published.Compile("kubernetes.json#/definitions/io.k8s.api." + kinds[kind] + "." + kind)
		require.NoError(t, err)
		encoded, err := r.MarshalJSON()
		require.NoError(t, err)
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(encoded))
		require.NoError(t, err)
		require.NoError(t, schema.Validate(instance), "%s %s", kind, r.GetName())

		instance.(map[string]any)["unknown"] = true
		require.Error(t, schema.Validate(instance), "the check sees a field that does not exist")
	}
	require.Len(t, seen, len(kinds), "%v", seen)
}

// Each pod meets the restricted profile of pod security, which the namespace enforces.
func TestPodsAreRestricted(t *testing.T) {
	pods := 0
	for _, r := range built(t).Resources() {
		if kind := r.GetKind(); kind != "Deployment" && kind != "Job" {
			continue
		}
		pods++
		at := func(path string) any {
			v, err := r.GetFieldValue(path)
			require.NoError(t, err, "%s of %s", path, r.GetName())
			return v
		}
		require.Equal(t, true, at("spec.template.spec.securityContext.runAsNonRoot"))
		require.Equal(t, "RuntimeDefault", at("spec.template.spec.securityContext.seccompProfile.type"))
		require.Equal(t, false, at("spec.template.spec.automountServiceAccountToken"))
		for _, c := range at("spec.template.spec.containers").([]any) {
			context := c.(map[string]any)["securityContext"].(map[string]any)
			require.Equal(t, false, context["allowPrivilegeEscalation"])
			require.Equal(t, true, context["readOnlyRootFilesystem"])
			require.Equal(t, map[string]any{"drop": []any{"ALL"}}, context["capabilities"])
		}
	}
	require.Equal(t, 2, pods)
}
