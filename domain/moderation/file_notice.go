package moderation

import (
	"context"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/publicnotice"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// FileNotice opens the report of this id from a notice. It is idempotent. It returns false if there is no public
// content at the notice's address. It returns CodeUnavailable if no type here has the address and another server has
// plugins that this one does not have, or a platform that could know the address does not answer.
func (s *Service) FileNotice(ctx context.Context, reportID string, n publicnotice.Notice) (filed bool, err error) {
	if stored, err := s.reports.Find(ctx, reportID); err != nil || stored != nil {
		return stored != nil, err
	}
	def, id, err := s.targetAt(ctx, n.URL)
	if err != nil {
		return false, err
	}
	if def == nil {
		return false, s.checkElsewhere(ctx)
	}
	v := validFiling{target: def, targetID: id, locale: s.localeOf(def), reason: report.Other, source: report.FromNotice, description: &n.Explanation}
	v.requested = v.locale
	if v.policy, _, err = s.alleged(ctx, n.Policy); err != nil { // a policy that was retired meanwhile is left out
		return false, err
	}
	nobody := &permission.Caller{}
	capture, err := s.capture(ctx, nobody, v, nil)
	if err != nil || capture == nil {
		return false, err
	}
	f := s.filing(nobody, v, capture)
	f.ID = reportID
	f.Created.Words.Notice = &report.NoticeWords{Name: n.Name, Email: n.Email, Law: n.Law, URL: n.URL, Language: n.Language}
	_, err = s.open(ctx, v, capture, f)
	if domain.ErrorCode(err) == domain.CodeAlreadyReported { // by another call
		err = nil
	}
	return err == nil, err
}

// checkElsewhere returns CodeUnavailable if another server has plugins that this one does not have.
func (s *Service) checkElsewhere(ctx context.Context) error {
	if s.Elsewhere == nil {
		return nil
	}
	elsewhere, err := s.Elsewhere(ctx, nil)
	if err != nil || len(elsewhere) == 0 {
		return err
	}
	return domain.Errorf(domain.CodeUnavailable, "This server does not know what is at the address, and another one may; try again shortly.")
}

// CheckNotice returns the faults of a notice that depend on the policies in force.
func (s *Service) CheckNotice(ctx context.Context, n publicnotice.Notice) ([]domain.Issue, error) {
	_, issues, err := s.alleged(ctx, n.Policy)
	return issues, err
}

// targetAt finds the content at a public address: by the addresses of the types, else by asking the
// platforms that hold content elsewhere. It returns nil if there is none, and CodeUnavailable if a
// platform that could know it does not answer.
func (s *Service) targetAt(ctx context.Context, address string) (*target.Definition, string, error) {
	addresses := publicnotice.Candidates(address, s.Base)
	for _, def := range s.targets.All() {
		if def.IDAt == nil {
			continue
		}
		for _, one := range addresses {
			if id, ok := def.IDAt(one); ok {
				if id, ok = def.ParsedID(id); ok {
					return def, id, nil
				}
			}
		}
	}
	var failed error
	asked := map[string]bool{}
	for _, def := range s.targets.All() {
		if def.Resolve == nil || asked[def.PluginID] {
			continue
		}
		asked[def.PluginID] = true
		targetType, id, err := def.Resolve(ctx, address)
		if err != nil {
			failed = unreachable(err)
			continue
		}
		if found := s.targets.Find(def.PluginID, targetType); found != nil {
			if id, ok := found.ParsedID(id); ok {
				return found, id, nil
			}
		}
	}
	return nil, "", failed
}
