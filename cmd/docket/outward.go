package main

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/subscribers/broker"
	"github.com/docketmod/docket/subscribers/notice"
	"github.com/docketmod/docket/subscribers/webhook"
)

// outward is what brings public events out of the service, beside plugins' own listeners.
type outward struct {
	webhooks *webhook.Store
	notices  *notice.Store
	broker   string // what kind of broker there is; "" for none
}

// wireOutward gives the listeners of webhooks, notices and the broker, and makes the
// queue run their tasks and those that publish checkpoints.
func (s *service) wireOutward() ([]event.Listener, error) {
	s.outward.webhooks = webhook.NewStore(s.db.Pool, webhook.Config{
		Log: s.log, AllowPrivate: s.cfg.WebhookAllowPrivate, RequireHTTPS: s.cfg.Production(), Wake: s.queue.Wake,
	})
	if err := s.outward.webhooks.Register(s.queue); err != nil {
		return nil, err
	}
	if s.cfg.AuditURL != "" {
		if err := handlePublications(s.queue, s.cfg.AuditURL, s.outward.webhooks.Post); err != nil {
			return nil, err
		}
	}
	var mail *notice.Mail
	if s.cfg.SMTPURL != "" {
		var err error
		if mail, err = notice.NewMail(s.cfg.SMTPURL, ""); err != nil {
			return nil, err
		}
	}
	s.outward.notices = notice.NewStore(s.db.Pool, time.Now, mail)
	if err := s.outward.notices.Register(s.queue); err != nil {
		return nil, err
	}
	listeners := []event.Listener{s.outward.webhooks.Listener(), s.outward.notices.Listener()}
	if s.cfg.BrokerURL == "" {
		return listeners, nil
	}
	publisher, err := broker.Connect(s.cfg.BrokerURL, s.log)
	if err != nil {
		return nil, err
	}
	s.outward.broker = "NATS JetStream"
	s.background = append(s.background, func(ctx context.Context) {
		<-ctx.Done()
		_ = publisher.Close() // what it has not stored stays in PostgreSQL
	})
	return append(listeners, publisher.Forward(s.log)), nil
}

// declareWebhooks makes the plugins' webhooks those that they declare now.
func (s *service) declareWebhooks(ctx context.Context) error {
	var all []webhook.Declared
	for _, w := range s.registered.Webhooks {
		all = append(all, webhook.Declared{PluginID: w.PluginID, Name: w.Name, Secret: w.Secret, Subscription: w.Subscription})
	}
	return s.outward.webhooks.Declare(ctx, all...)
}

// outwardAreas are the routes of what wireOutward made.
func (s *service) outwardAreas() []http.Area {
	return []http.Area{
		&http.Webhooks{Store: s.outward.webhooks, Targets: s.registered.Targets, Scopes: s.registered.Scopes},
		&http.Notices{Store: s.outward.notices},
		&http.Poison{Events: s.router},
	}
}
