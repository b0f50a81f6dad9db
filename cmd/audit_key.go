package cmd

import (
	"crypto/rand"
	"fmt"
	"path/filepath"

	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/proof"
)

type auditKeyCommand struct {
	Public bool `help:"Print the public half of this server's key instead."`
}

// Run prints a new key for DOCKET_AUDIT_KEY, which it does not store, or the public half of this
// server's signing key.
func (c *auditKeyCommand) Run(a *app) error {
	if !c.Public {
		private, _, err := note.GenerateKey(rand.Reader, proof.KeyName)
		if err != nil {
			return fmt.Errorf("make a key: %w", err)
		}
		fmt.Fprintln(a.stdout, private)
		return nil
	}
	cfg, err := a.config()
	if err != nil {
		return err
	}
	keys, err := cfg.keyFolder()
	if err != nil {
		return err
	}
	key, err := keys.Signer() // creates the key if there is none
	if err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, key.Public)
	return nil
}

// keyFolder returns where this server's key is: DOCKET_AUDIT_KEY, or a file that is created on
// first use.
func (c *Config) keyFolder() (proof.Folder, error) {
	f := c.checkpoints()
	switch {
	case f.Key != "" || f.Path != "" && !c.Production():
		return f, nil
	case c.Production():
		return proof.Folder{}, errNoAuditKey
	case c.DataDir != "":
		f.Path = filepath.Join(c.DataDir, "audit")
		return f, nil
	}
	state, err := local.DefaultDataDir()
	f.Path = filepath.Join(state, "audit")
	return f, err
}

// signer is the key that this server signs events with.
func (c *Config) signer() (proof.Key, error) {
	f, err := c.keyFolder()
	if err != nil {
		return proof.Key{}, err
	}
	return f.Signer()
}
