package cmd

import (
	"net/url"
	"path/filepath"
	"time"

	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/proof"
)

// setDataDir sets the default data directory if local mode needs it.
func (c *Config) setDataDir() (err error) {
	if c.DatabaseURL == "" && c.DataDir == "" {
		c.DataDir, err = local.DefaultDataDir()
	}
	return err
}

// productionDrain is the default of DOCKET_DRAIN in production.
const productionDrain = 5 * time.Second

// drain is how long the server still serves once it is told to stop.
func (c *Config) drain() time.Duration {
	switch {
	case c.Drain != nil:
		return *c.Drain
	case c.Production():
		return productionDrain
	}
	return 0
}

// checkpoints returns the folder of checkpoints. Its Path is "" if none is known.
func (c *Config) checkpoints() proof.Folder {
	f := proof.Folder{Path: c.AuditDir, Key: c.AuditKey, Known: c.AuditKnownKeys}
	if f.Path == "" && c.DatabaseURL == "" && c.DataDir != "" {
		f.Path = filepath.Join(c.DataDir, "audit")
	}
	return f
}

// oidcName returns the provider's name on the sign-in page, or "" without one.
func (c *Config) oidcName() string {
	if c.OIDCIssuer == "" || c.OIDCName != "" {
		return c.OIDCName
	}
	issuer, err := url.Parse(c.OIDCIssuer)
	if err != nil {
		return c.OIDCIssuer
	}
	return issuer.Host
}
