package forum

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// profileTarget is forum.profile, a target declared in Go. It has no scope and no actions, but
// carries out measures.
func profileTarget(pool *pgxpool.Pool) target.Definition {
	p := profiles{pool}
	return target.Definition{
		Type:             "forum.profile",
		Label:            "forum.profile",
		PermissionModule: "profiles",
		ParseID:          content.KeyUUID.Parse,
		Capture:          p.capture,
		Current:          p.current,
		People:           people(),
	}
}

type profiles struct{ pool *pgxpool.Pool }

// capture reads one row in one statement, and so from one database snapshot.
func (p profiles) capture(ctx context.Context, r target.CaptureRequest) (*snapshot.Capture, error) {
	var name string
	var since time.Time
	err := p.pool.QueryRow(ctx, "SELECT name, created_at FROM core_users WHERE id = $1", r.TargetID).Scan(&name, &since)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("capture profile %s: %w", r.TargetID, err)
	}
	member, err := json.Marshal(since.Format(domain.TimeLayout))
	if err != nil {
		return nil, fmt.Errorf("capture profile %s: %w", r.TargetID, err)
	}
	text, err := json.Marshal(name)
	if err != nil {
		return nil, fmt.Errorf("capture profile %s: %w", r.TargetID, err)
	}
	return &snapshot.Capture{
		Title: name,
		Fields: []snapshot.Field{
			{Name: "name", Label: "Name", Kind: snapshot.KindText, Value: text},
			{Name: "memberSince", Label: "Member since", Kind: snapshot.KindValue, Value: member},
		},
		Served:  r.Locale, // names are the same in every language
		Source:  snapshot.Source{PublishedAt: &since},
		Authors: []snapshot.Author{{ID: r.TargetID, Name: name}},
		URL:     profileURL(r.TargetID),
	}, nil
}

func (p profiles) current(ctx context.Context, id, _ string) (*target.State, error) {
	var there bool
	if err := p.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM core_users WHERE id = $1)", id).Scan(&there); err != nil {
		return nil, fmt.Errorf("find profile %s: %w", id, err)
	}
	if !there {
		return nil, nil
	}
	return &target.State{URL: profileURL(id)}, nil
}

func profileURL(id string) string { return "/forum/profiles/" + id }
