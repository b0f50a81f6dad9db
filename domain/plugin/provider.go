package plugin

import "time"

// Provider is a service, in any language, that classifies reported content. It is called once for
// each report of the plugin. Its name is the source of its signals.
type Provider struct {
	Name      string
	URL       string   // questions are posted to it
	SecretEnv string   // the environment variable with the secret that signs them
	Fields    []string // whose text it gets; nil means every field with text
	Files     bool     // it also gets the URLs of files
	Timeout   time.Duration
}
