package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/platform/quality"
)

// Quality has the routes of the settings of second opinions.
type Quality struct {
	Store *quality.Store
}

func (a *Quality) routes() []route {
	manage := admin(permission.AreaQuality)
	return []route{
		{http.MethodGet, "/admin/quality", manage, a.settings},
		{http.MethodPut, "/admin/quality", manage, a.set},
	}
}

// qualityView has the present and all earlier settings of second opinions, from which anybody can repeat the draw.
type qualityView struct {
	Percent int            `json:"percent"`
	Golden  int            `json:"golden"`
	History []qualityEntry `json:"history"` // the oldest first
}

type qualityEntry struct {
	Percent int         `json:"percent"`
	Golden  int         `json:"golden"`
	Since   domain.Time `json:"since"`
}

func viewQuality(versions []second.Settings) qualityView {
	v := qualityView{History: []qualityEntry{}}
	for _, s := range versions {
		v.Percent, v.Golden = s.Percent, s.Golden
		v.History = append(v.History, qualityEntry{s.Percent, s.Golden, domain.Time(s.Since)})
	}
	return v
}

func (a *Quality) settings(w http.ResponseWriter, r *http.Request) error {
	versions, err := a.Store.Versions(r.Context())
	return okJSON(w, viewQuality(versions), err)
}

func (a *Quality) set(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	settings := second.Settings{Percent: b.integer("percent"), Golden: b.integer("golden")}
	b.add(settings.Check())
	if err := b.Err(); err != nil {
		return err
	}
	versions, err := a.Store.Set(r.Context(), callerOf(r).UserID, settings)
	return okJSON(w, viewQuality(versions), err)
}
