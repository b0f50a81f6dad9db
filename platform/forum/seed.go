package forum

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"gopkg.in/yaml.v3"

	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/eventstore/postgres"
)

//go:embed seed.yaml
var seed []byte

type seedTopic struct {
	seedText `yaml:",inline"`
	Category string
	Title    string
	Status   string
	Posts    []seedText
}

type seedText struct {
	Author int
	Body   string
	Locale string
}

// Seed adds topics and posts dated in the days before now. authors are the ids of member1 to
// member9 in order, or fewer, who take turns. Existing content stays unchanged, even if it was
// edited or hidden.
func Seed(ctx context.Context, pool *pgxpool.Pool, authors []string, now time.Time) error {
	if len(authors) == 0 {
		return errors.New("seed the forum: no authors are given")
	}
	var topics []seedTopic
	if err := yaml.Unmarshal(seed, &topics); err != nil {
		return fmt.Errorf("seed the forum: %w", err)
	}
	return postgres.Transact(ctx, pool, "seed the forum", func(tx pgx.Tx) error {
		// Two demos that start at once must write one forum.
		if _, err := tx.Exec(ctx, "LOCK TABLE forum_topics IN SHARE ROW EXCLUSIVE MODE"); err != nil {
			return err
		}
		for i, t := range topics {
			at := now.Add(-time.Duration(len(topics)-i) * 9 * time.Hour).Truncate(time.Minute)
			if err := t.insert(ctx, tx, fmt.Sprintf("seed:%d", i+1), authors, at); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t seedTopic) insert(ctx context.Context, tx pgx.Tx, source string, authors []string, at time.Time) error {
	id, added, err := insertTopic(ctx, tx, newTopic{
		source: source, category: t.Category, author: authors[(t.Author-1)%len(authors)], title: t.Title,
		body: richtext.FromHTML(t.Body).JSON(), locale: cmp.Or(t.Locale, "en"), status: t.Status, at: at,
	})
	if err != nil || !added {
		return err
	}
	posts := make([]newPost, len(t.Posts))
	for i, p := range t.Posts {
		written := at.Add(time.Duration(i+1) * 23 * time.Minute)
		posts[i] = newPost{
			source: fmt.Sprintf("%s:%d", source, i+1), topic: id, category: t.Category, author: authors[(p.Author-1)%len(authors)],
			title: "Re: " + t.Title, body: p.Body, locale: cmp.Or(p.Locale, "en"), updatedAt: written, publishedAt: &written,
		}
	}
	_, err = insertPosts(ctx, tx, posts)
	return err
}
