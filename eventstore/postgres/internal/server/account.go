package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// Account is the system account that the server runs as. PostgreSQL refuses to
// run as root, so a root process hands it to an unprivileged one. The zero value
// is the process's own account.
type Account struct {
	name     string
	uid, gid uint32
	other    bool // not the process's own
}

// ServerAccount returns the process's own account or, if that is root, the first
// existing one of "postgres" and "nobody".
func ServerAccount() (Account, error) {
	if os.Geteuid() != 0 {
		return Account{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return Account{}, fmt.Errorf("account %s: uid: %w", name, err)
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		if err != nil {
			return Account{}, fmt.Errorf("account %s: gid: %w", name, err)
		}
		return Account{name: name, uid: uint32(uid), gid: uint32(gid), other: true}, nil
	}
	return Account{}, errors.New("PostgreSQL does not run as root, and there is neither a postgres nor a nobody account to run it as")
}

// MakeDir creates the folder, owned by the account and open only to it and root. Its
// parents must exist.
func (a Account) MakeDir(path string) error {
	err := os.Mkdir(path, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	// It uses the descriptor, so that a link put there meanwhile is not followed.
	dir, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	defer dir.Close()
	if a.other {
		if err := dir.Chown(int(a.uid), int(a.gid)); err != nil {
			return err
		}
	}
	return dir.Chmod(0o700)
}

// Blocked returns the first folder on the path from the root that the account may not enter, or "".
func (a Account) Blocked(path string) (string, error) {
	if !a.other {
		return "", nil
	}
	if parent := filepath.Dir(path); parent != path {
		blocked, err := a.Blocked(parent)
		if err != nil || blocked != "" {
			return blocked, err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	need := fs.FileMode(0o001)
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		switch {
		case stat.Uid == a.uid:
			need = 0o100
		case stat.Gid == a.gid:
			need = 0o010
		}
	}
	if info.Mode().Perm()&need == 0 {
		return path, nil
	}
	return "", nil
}

// Admit permits the account to enter the folder, but not to list or write it.
func (a Account) Admit(path string) error {
	if !a.other {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := os.Chown(path, -1, int(a.gid)); err != nil {
		return err
	}
	return os.Chmod(path, info.Mode().Perm()|0o010)
}

// Name returns the account's name, or "" for the process's own.
func (a Account) Name() string { return a.name }

func (a Account) run(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if a.other {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
}
