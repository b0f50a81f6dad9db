package http

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/signal"
)

// Signals has the route of signals: classifications of content by machines.
type Signals struct {
	Moderation *moderation.Service

	limits hostLimits
}

func (a *Signals) routes() []route {
	return []route{{http.MethodPost, "/moderation/signals", signaller, a.send}}
}

// send stores signals about a target of the token's plugin, whose id is their source.
func (a *Signals) send(w http.ResponseWriter, r *http.Request) error {
	token := callerOf(r)
	if err := a.limits.count(token.TokenID, time.Now()); err != nil {
		return err
	}
	b := readBody(w, r)
	pluginID, targetType, targetID, signals := b.text("pluginId"), b.text("targetType"), b.text("targetId"), b.signals("signals")
	if pluginID != "" && pluginID != token.PluginID {
		return forbidden("This token is for the plugin " + token.PluginID + ".")
	}
	t, issues, err := a.Moderation.SignalTarget(r.Context(), pluginID, targetType, targetID)
	if err != nil {
		return err
	}
	b.add(issues)
	if err := b.Err(); err != nil {
		return err
	}
	reports, err := a.Moderation.Signal(r.Context(), t, token.PluginID, signals)
	return okJSON(w, map[string]int{"reports": reports}, err)
}

// signals reads a list of at least one signal.
func (b *body) signals(name string) (all []signal.Signal) {
	v := b.required(name)
	if v == nil {
		return nil
	}
	items := b.array(name, v)
	switch {
	case items != nil && len(items) == 0:
		b.fault(name, "required", "Give at least one signal.")
	case len(items) > signal.MaxSignals: // none of them is parsed
		items = nil
		b.fault(name, "too_many", fmt.Sprintf("At most %d signals can be sent at once.", signal.MaxSignals))
	}
	for i, item := range items {
		all = append(all, signal.Signal{})
		b.object(fmt.Sprintf("%s[%d]", name, i), item, func(o *body) {
			all[i] = signal.Signal{Name: o.text("name"), Score: o.number("score")}
		})
	}
	issues := signal.Check(all)
	for i := range issues {
		issues[i].Path = name + issues[i].Path
	}
	b.add(issues)
	return all
}

// number reads a required number.
func (b *body) number(name string) (n float64) {
	v := b.required(name)
	if v != nil && (json.Unmarshal(v, &n) != nil || string(v) == "null") {
		b.fault(name, "wrong_type", "Must be a number.")
	}
	return n
}
