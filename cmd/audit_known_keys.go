package cmd

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/eventstore/proof"
)

// given returns the keys of --key, reading those that name a file.
func (c *auditVerifyCommand) given() (keys []string, err error) {
	for _, key := range c.Key {
		if stored, err := readAtMost(key, maxProof); err == nil {
			key = strings.TrimSpace(string(stored))
		}
		if _, err := note.NewVerifier(key); err != nil {
			return nil, usageError{fmt.Errorf("--key %q is neither a public key nor a file that holds one", key)}
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// known returns the given keys, those of the settings, and this server's own. It creates no key.
func (c *auditVerifyCommand) known(a *app, given []string) ([]string, error) {
	cfg, err := a.config()
	if err != nil {
		return nil, err
	}
	keys := append(given, cfg.AuditKnownKeys...)
	var folders []proof.Folder
	if c.Folder != "" {
		folders = append(folders, proof.Folder{Path: c.Folder})
	}
	// A bundle that is verified with a folder is unrelated to this server.
	if own, err := cfg.keyFolder(); err == nil && (c.Bundle == "" || c.Folder == "") { // in production there may be no key here
		folders = append(folders, own)
	}
	for _, f := range folders {
		public, err := f.PublicKey()
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		keys = append(keys, public)
	}
	return keys, nil
}
