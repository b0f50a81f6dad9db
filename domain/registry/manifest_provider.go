package registry

import (
	"time"

	"github.com/docketmod/docket/domain/plugin"
)

// RegisteredProvider is a plugin's provider of signals with its secret.
type RegisteredProvider struct {
	PluginID string
	plugin.Provider
	Secret string
}

func (n node) provider() plugin.Provider {
	o, _ := n.object("name", "url", "secretEnv", "fields", "files", "timeout")
	p := plugin.Provider{Name: o.text("name"), URL: o.text("url"), SecretEnv: o.text("secretEnv"), Timeout: o.timeout()}
	if _, ok := o.byName["fields"]; ok {
		p.Fields = append([]string{}, o.texts("fields")...)
	}
	p.Files = o.flag("files")
	return p
}

// timeout reads a time limit for the answers of another server.
func (o object) timeout() time.Duration {
	text := o.text("timeout")
	if text == "" {
		return DefaultRemoteTimeout
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		o.byName["timeout"].fault("%q is not a duration, such as 3s", text)
	}
	return d
}
