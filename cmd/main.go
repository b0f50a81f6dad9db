// Package cmd is the docket command, and what a plugin in Go is served with.
//
// A server with plugins is a program of its own that passes their sources to [Main]. It has
// every command of docket:
//
//	func main() { cmd.Main(photos) }
//
//	func photos(ctx context.Context, host cmd.Host) (*cmd.Plugin, error) {
//		p := &cmd.Plugin{Routes: []cmd.Route{license}}
//		p.ID = "photos"
//		p.Targets = []target.Definition{photo}
//		return p, nil
//	}
//
// A [Source] is called once at the start, with the [Host]: the database's pool, the settings, a
// logger, a clock, and the queue for tasks. A [Plugin] is what it declares, see domain/plugin,
// and its HTTP routes. A [Route] stands below /api/ and the plugin's id, behind Docket's
// authentication and limits; [Caller] returns who calls it.
//
// A server whose plugins have a fault does not start, and names every fault at once. [Check]
// finds those of a declaration in a unit test. [NewServer] returns the whole server for tests
// that send requests to it:
//
//	docket, err := cmd.NewServer(ctx, map[string]string{"DATABASE_URL": url}, os.Stderr, photos)
//	…
//	defer docket.Close()
//	user, err := docket.Accounts().CreateUser(ctx, account.NewUser{Name: "Mina", Email: "mina@example.test"})
//	err = docket.Staff().Ensure(ctx, permission.Moderator, user.ID, permission.Entry{Unrestricted: true})
//	token, _, err := docket.Accounts().CreateToken(ctx, user.ID, account.NewToken{Use: permission.UseModerate})
//	request.Header.Set("Authorization", "Bearer "+token)
//	docket.Handler().ServeHTTP(answer, request)
//
// The examples have one of each thing that a plugin can bring. Inside, every command of the
// program has a file here, and the files named wiring put the parts together.
package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/caarlos0/env/v11"
	"github.com/google/uuid"
	"github.com/willabides/kongplete"

	"github.com/docketmod/docket/domain"
)

// Exit statuses.
const (
	exitSuccess = 0
	exitFailure = 1
	exitUsage   = 2
)

// commands is the command line. A command is a field here, and a file of its own for the
// field's type, whose method Run(context.Context, *app) error runs it.
type commands struct {
	Serve        serveCommand        `cmd:"" help:"Serve the API and the control panel."`
	Demo         demoCommand         `cmd:"" help:"Serve a forum to moderate, with accounts to try."`
	Migrate      migrateCommand      `cmd:"" help:"Apply, revert or list database migrations."`
	User         userCommand         `cmd:"" help:"Make and delete accounts."`
	Token        tokenCommand        `cmd:"" help:"Make, list and revoke API tokens."`
	Plugin       pluginCommand       `cmd:"" help:"Begin, check and try plugins."`
	Replay       replayCommand       `cmd:"" help:"Print a report as it stood at any moment."`
	Audit        auditCommand        `cmd:"" help:"Check, attest, prove and export the log."`
	Transparency transparencyCommand `cmd:"" help:"Check a transparency report."`
	Erase        eraseCommand        `cmd:"" help:"Erase what people wrote, and keep the proof of what was done."`
	Projections  projectionsCommand  `cmd:"" help:"Compare, rebuild and watch the read models."`
	Backup       backupCommand       `cmd:"" help:"Write the database and the audit folder into one file."`
	Restore      restoreCommand      `cmd:"" help:"Restore a backup into a database without reports, and verify it."`
	Doctor       doctorCommand       `cmd:"" help:"Examine settings, database and everything that Docket speaks to, and say what to do."`
	Ready        readyCommand        `cmd:"" help:"Ask the server on this machine whether it is ready."`
	Manual       manualCommand       `cmd:"" help:"Write the manual page." hidden:""`
	Version      versionCommand      `cmd:"" help:"Print the version."`
}

const description = `Content reports and a moderator queue, on an event log.

Settings come from the environment; without DATABASE_URL a private PostgreSQL is kept in DOCKET_DATA_DIR.`

// app is what a command works with: environment, standard streams and the plugins in Go.
type app struct {
	environment    map[string]string
	stdin          io.Reader
	stdout, stderr io.Writer
	sources        []Source // plugins in Go
}

// Main is the docket binary with the plugins of the sources: it runs the command that the
// arguments name and ends the process.
func Main(sources ...Source) {
	if os.Getenv("GOGC") == "" {
		collectGarbageFrom(minHeap)
	}
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	a := &app{environment: env.ToMap(os.Environ()), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, sources: sources}
	os.Exit(a.run(ctx, os.Args[1:]))
}

// endings returns the signals that shut docket down. They include the loss of the terminal, which
// would leave a private PostgreSQL running, except under nohup.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// run parses the arguments, runs the command and returns the exit status.
func (a *app) run(ctx context.Context, args []string) int {
	left := -1
	out := &output{Writer: a.stdout}
	a.stdout = out
	parser, err := kong.New(&commands{},
		kong.Name("docket"),
		kong.Description(description),
		kong.Writers(a.stdout, a.stderr),
		kong.Exit(func(status int) { left = status }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(a),
	)
	if err != nil {
		fmt.Fprintf(a.stderr, "docket: %v\n", err)
		return exitFailure
	}
	kongplete.Complete(parser) // a shell that requests completions by COMP_LINE
	if left >= 0 {
		return left
	}
	command, err := parser.Parse(args)
	switch {
	case left >= 0: // --help was printed
		return left
	case err != nil:
		fmt.Fprintf(a.stderr, "docket: %v\nRun \"docket --help\" for usage.\n", err)
		return exitUsage
	}
	if err = command.Run(); err == nil {
		err = out.err
	}
	return a.status(err)
}

// output keeps its first error, so that no command succeeds whose output is lost, as on a full disk.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// status prints the error and returns the exit status for it.
func (a *app) status(err error) int {
	if err == nil {
		return exitSuccess
	}
	fmt.Fprintf(a.stderr, "docket: %s\n", inWords(err))
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFailure
}

// inWords returns an error's text for people: without codes and without hints about a request body.
func inWords(err error) string {
	var e *domain.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	words := []string{strings.TrimSuffix(e.Message, ".")}
	switch {
	case len(e.Issues) > 0:
		words = nil
		for _, issue := range e.Issues {
			words = append(words, strings.TrimSuffix(issue.String(), "."))
		}
	case e.Code == domain.CodeNotFound:
		words = []string{"not found"}
	}
	if e.Cause != nil {
		words = append(words, e.Cause.Error())
	}
	return strings.Replace(err.Error(), e.Error(), strings.Join(words, "; "), 1)
}

// printJSON writes v for people and programs alike.
func (a *app) printJSON(v any) error {
	out := json.NewEncoder(a.stdout)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

// A usageError is wrong usage that the parser cannot detect, such as two options that
// exclude each other.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// parseID returns the id in canonical form, as events store it, or a usage error.
func parseID(what, id string) (string, error) {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		return "", usageError{fmt.Errorf("%s is a UUID, not %q", what, id)}
	}
	return parsed.String(), nil
}
