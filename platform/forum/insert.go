package forum

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// newTopic is a topic to add. source identifies its origin; each source is added once.
type newTopic struct {
	source, category, author, title string
	body                            []byte // ProseMirror document
	locale, status                  string // "" is published
	at                              time.Time
}

// insertTopic returns the topic of that source and whether it is new.
func insertTopic(ctx context.Context, tx pgx.Tx, t newTopic) (id int64, added bool, err error) {
	err = tx.QueryRow(ctx, "SELECT id FROM forum_topics WHERE source = $1", t.source).Scan(&id)
	if !errors.Is(err, pgx.ErrNoRows) {
		return id, false, err
	}
	err = tx.QueryRow(ctx, `
		INSERT INTO forum_topics (source, category_id, author_id, title, body, locale, status, updated_at, published_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $7 = 'published' THEN $8::timestamptz END) RETURNING id`,
		t.source, t.category, t.author, t.title, t.body, t.locale, cmp.Or(t.status, "published"), t.at).Scan(&id)
	return id, err == nil, err
}

// newPost is a post to add.
type newPost struct {
	source      string
	topic       int64
	category    string
	author      string
	title       string
	body        string // HTML
	locale      string
	updatedAt   time.Time
	publishedAt *time.Time // nil: not known
}

// insertPosts adds the posts whose source is new and returns how many these were.
func insertPosts(ctx context.Context, tx pgx.Tx, posts []newPost) (added int, err error) {
	batch := &pgx.Batch{}
	for _, p := range posts {
		batch.Queue(`
			INSERT INTO forum_posts (source, topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
			SELECT $1::text, $2::bigint, $3::text, $4::uuid, $5::text, $6::text, $7::text, $8::timestamptz, $9::timestamptz
			WHERE NOT EXISTS (SELECT FROM forum_posts WHERE source = $1)`, // uses up no id for an existing post
			p.source, p.topic, p.category, p.author, p.title, p.body, p.locale, p.updatedAt, p.publishedAt).
			Exec(func(tag pgconn.CommandTag) error {
				added += int(tag.RowsAffected())
				return nil
			})
	}
	err = tx.SendBatch(ctx, batch).Close()
	return added, err
}
