package forum

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account"
)

// Accounts creates the authors of imported comments.
type Accounts interface {
	EnsureUsers(ctx context.Context, all []account.NewUser) ([]account.User, error)
}

// Imported is an imported comment and its post.
type Imported struct {
	CommentID string
	PostID    string
	AuthorID  string
	Spam      bool // class 1
}

// Summary describes an import. Faulty lists unreadable rows as FILE:LINE: reason; Repaired and
// Undated count among the other rows.
type Summary struct {
	Comments   []Imported // each distinct comment once, in the order of the files
	Files      int
	Rows       int
	Added      int // posts that were not there before
	Authors    int // distinct
	Duplicates int // rows that repeat a comment
	Undated    int // posts without a date
	Repaired   int // rows from which byte-order marks, invisible characters or broken text were removed
	Faulty     []string
}

// String returns the summary for people.
func (s Summary) String() string {
	return fmt.Sprintf("%d rows in %d files: %d comments by %d authors, %d of them new; %d rows repeat a comment, %d have no date, %d were cleaned, %d could not be read",
		s.Rows, s.Files, len(s.Comments), s.Authors, s.Added, s.Duplicates, s.Undated, s.Repaired, len(s.Faulty))
}

// categories are assigned to files in turn.
var categories = []string{"general", "offtopic", "support"}

// Import loads the comments of the CSV files in dir as posts by their authors, one
// topic per file. The authors get accounts without a password. Another import adds only
// what is missing. progress, which may be nil, counts files.
func Import(ctx context.Context, pool *pgxpool.Pool, accounts Accounts, dir string, now time.Time, progress func(done, total int)) (Summary, error) {
	files, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*.csv"))
	if err != nil || len(files) == 0 {
		return Summary{}, fmt.Errorf("import %s: there are no CSV files", dir)
	}
	slices.Sort(files)
	in := importer{pool: pool, accounts: accounts, now: now, seen: map[string]bool{}, authors: map[string]string{}}
	for i, file := range files {
		if err := in.file(ctx, file, categories[i%len(categories)]); err != nil {
			return in.summary, fmt.Errorf("import %s: %w", filepath.Base(file), err)
		}
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	in.summary.Authors = len(in.authors)
	return in.summary, nil
}

func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

type importer struct {
	pool     *pgxpool.Pool
	accounts Accounts
	now      time.Time
	seen     map[string]bool   // comment ids
	authors  map[string]string // as the files name them, to account ids
	summary  Summary
}

func (in *importer) file(ctx context.Context, path, category string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	read, err := readComments(f, filepath.Base(path))
	if err != nil {
		return err
	}
	in.count(read)
	comments := slices.DeleteFunc(read.comments, func(c comment) bool {
		again := in.seen[c.id]
		in.seen[c.id] = true
		return again
	})
	in.summary.Duplicates += len(read.comments) - len(comments)
	if len(comments) == 0 {
		return nil
	}
	if err := in.ensureAuthors(ctx, comments); err != nil {
		return err
	}
	return postgres.Transact(ctx, in.pool, "store comments", func(tx pgx.Tx) error { return in.store(ctx, tx, path, category, comments) })
}

func (in *importer) count(read comments) {
	in.summary.Files++
	in.summary.Rows += read.rows
	in.summary.Repaired += read.repaired
	in.summary.Faulty = append(in.summary.Faulty, read.faulty...)
}

func (in *importer) ensureAuthors(ctx context.Context, comments []comment) error {
	var names []string
	var accounts []account.NewUser
	for _, c := range comments {
		if _, known := in.authors[c.author]; known {
			continue
		}
		in.authors[c.author] = ""
		names = append(names, c.author)
		sum := sha256.Sum256([]byte(c.author))
		accounts = append(accounts, account.NewUser{
			Email: "author-" + hex.EncodeToString(sum[:8]) + "@import.demo.test",
			Name:  authorName(c.author),
			Demo:  true,
		})
	}
	users, err := in.accounts.EnsureUsers(ctx, accounts)
	if err != nil {
		return fmt.Errorf("make the accounts of authors: %w", err)
	}
	for i, u := range users {
		in.authors[names[i]] = u.ID
	}
	return nil
}

func (in *importer) store(ctx context.Context, tx pgx.Tx, path, category string, comments []comment) error {
	// Concurrent imports must not add anything twice.
	if _, err := tx.Exec(ctx, "LOCK TABLE forum_topics IN SHARE ROW EXCLUSIVE MODE"); err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	title := "Comments: " + name
	topic, _, err := insertTopic(ctx, tx, newTopic{
		source: "import:" + name, category: category, author: in.authors[comments[0].author], title: title,
		body:   richtext.FromHTML("<p>Comments of a video, loaded from a file.</p>").JSON(),
		locale: "en", at: in.now,
	})
	if err != nil {
		return err
	}
	posts := make([]newPost, len(comments))
	sources := make([]string, len(comments))
	for i, c := range comments {
		sources[i] = "comment:" + c.id
		posts[i] = newPost{source: sources[i], topic: topic, category: category, author: in.authors[c.author],
			title: "Re: " + title, body: c.html, locale: "en", updatedAt: in.now, publishedAt: c.at}
		if c.at != nil {
			posts[i].updatedAt = *c.at
		} else {
			in.summary.Undated++
		}
	}
	added, err := insertPosts(ctx, tx, posts)
	if err != nil {
		return err
	}
	in.summary.Added += added
	return in.collect(ctx, tx, comments, sources)
}

// collect finds the posts of the comments, both new and existing ones.
func (in *importer) collect(ctx context.Context, tx pgx.Tx, comments []comment, sources []string) error {
	var source, id, author string
	posts := make(map[string][2]string, len(sources))
	err := postgres.ForEach(ctx, tx, "find posts", []any{&source, &id, &author}, func() error {
		posts[source] = [2]string{id, author}
		return nil
	}, "SELECT source, id::text, author_id::text FROM forum_posts WHERE source = ANY($1)", sources)
	if err != nil {
		return err
	}
	for i, c := range comments {
		post := posts[sources[i]]
		in.summary.Comments = append(in.summary.Comments, Imported{CommentID: c.id, PostID: post[0], AuthorID: post[1], Spam: c.spam})
	}
	return nil
}
