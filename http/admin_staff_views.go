package http

import (
	"strconv"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/staff"
)

// staffEntry shows a staff entry.
type staffEntry struct {
	ID   string    `json:"id"`
	User staffUser `json:"user"`
	staffRights
	CreatedAt moderation.Time `json:"createdAt"`
	UpdatedAt moderation.Time `json:"updatedAt"`
}

type staffUser struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Email *string `json:"email"` // null for an account that has none
}

type staffRights struct {
	Unrestricted bool               `json:"unrestricted"`
	Permissions  []permission.Grant `json:"permissions"`
}

func viewEntry(e staff.Entry) staffEntry {
	user := staffUser{ID: e.User.ID, Name: e.User.Name}
	if e.User.Email != "" {
		user.Email = &e.User.Email
	}
	return staffEntry{
		ID: e.ID, User: user, staffRights: *viewRights(&e.Entry),
		CreatedAt: moderation.Time(e.CreatedAt), UpdatedAt: moderation.Time(e.UpdatedAt),
	}
}

// viewRights returns an empty list, not null, if there are no grants.
func viewRights(e *permission.Entry) *staffRights {
	if e == nil {
		return nil
	}
	rights := &staffRights{Unrestricted: e.Unrestricted, Permissions: e.Grants}
	if rights.Permissions == nil {
		rights.Permissions = []permission.Grant{}
	}
	return rights
}

// staffChange shows one change of an entry. Before is null if it was created, after if it
// was deleted.
type staffChange struct {
	ID     string          `json:"id"`
	Action string          `json:"action"`
	Actor  *staffActor     `json:"actor"` // null: an operator at the command line
	Before *staffRights    `json:"before"`
	After  *staffRights    `json:"after"`
	At     moderation.Time `json:"at"`
}

type staffActor struct {
	ID   string  `json:"id"`
	Name *string `json:"name"` // null once the account is deleted
}

func viewChange(e staff.Event) staffChange {
	change := staffChange{
		ID: strconv.FormatInt(e.Position, 10), Action: e.Action,
		Before: viewRights(e.Before), After: viewRights(e.After), At: moderation.Time(e.At),
	}
	if e.ActorID != "" {
		change.Actor = &staffActor{ID: e.ActorID}
		if e.ActorName != "" {
			change.Actor.Name = &e.ActorName
		}
	}
	return change
}
