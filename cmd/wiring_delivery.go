package cmd

import (
	"context"
	"net/url"
	"time"

	"github.com/docketmod/docket/domain/event"
	publicnotices "github.com/docketmod/docket/domain/publicnotice"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/policy"
	"github.com/docketmod/docket/platform/publicnotice"
	"github.com/docketmod/docket/platform/sealing"
	"github.com/docketmod/docket/platform/statement"
	"github.com/docketmod/docket/subscribers"
	"github.com/docketmod/docket/subscribers/broker"
	"github.com/docketmod/docket/subscribers/notice"
	"github.com/docketmod/docket/subscribers/webhook"
)

// delivery holds what receives public events besides the listeners of plugins.
type delivery struct {
	webhooks *webhook.Store
	notices  *notice.Store
	public   *publicnotice.Store // notices by anybody; nil if none are accepted
	mail     *mail.Server        // nil: no mail is sent
	broker   string              // the kind of broker; "" means none

	forwarders []subscribers.Forwarder
}

// wireDelivery returns the listeners of webhooks and of notices; that of webhooks also enqueues the calls of signal
// providers. It registers the tasks that send deliveries, mails and checkpoints, and connects to the broker.
func (s *Server) wireDelivery() ([]event.Listener, error) {
	s.delivery.webhooks = webhook.NewStore(s.db.Pool, webhook.Config{
		Keys: sealing.NewKeys(s.cfg.secrets()), Log: s.log, AllowPrivate: s.cfg.WebhookAllowPrivate, RequireHTTPS: s.cfg.Production(), Wake: s.queue.Wake,
	})
	if err := s.delivery.webhooks.Register(s.queue); err != nil {
		return nil, err
	}
	if s.cfg.AuditURL != "" {
		if err := handlePublications(s.queue, s.cfg.AuditURL, s.delivery.webhooks.Post); err != nil {
			return nil, err
		}
	}
	if s.cfg.SMTPURL != "" {
		server, err := mail.NewServer(s.cfg.SMTPURL)
		if err != nil {
			return nil, err
		}
		s.delivery.mail = server
	}
	s.delivery.notices = notice.NewStore(s.db.Pool, time.Now, s.delivery.mail)
	s.delivery.notices.Issuer = s.cfg.Issuer
	s.delivery.notices.UseMessages(s.registered.Messages)
	if err := s.delivery.notices.Register(s.queue); err != nil {
		return nil, err
	}
	listeners := []event.Listener{s.asking(s.delivery.webhooks.Listener()), s.delivery.notices.Listener()}
	if s.cfg.Notices == "on" {
		s.delivery.public = &publicnotice.Store{Pool: s.db.Pool, Mail: s.delivery.mail, Now: time.Now, Wake: s.queue.Wake, Base: func() *url.URL { return s.base },
			File: func(ctx context.Context, reportID string, n publicnotices.Notice) (bool, error) {
				return s.moderation.FileNotice(ctx, reportID, n)
			}}
		if err := s.delivery.public.Register(s.queue); err != nil {
			return nil, err
		}
		listeners = append(listeners, s.delivery.public.Listener())
	}
	if s.cfg.BrokerURL == "" {
		return listeners, nil
	}
	publisher, err := broker.Connect(s.cfg.BrokerURL, s.cfg.BrokerReplicas, s.log)
	if err != nil {
		return nil, err
	}
	s.delivery.broker = "NATS JetStream"
	s.background = append(s.background, func(ctx context.Context) {
		<-ctx.Done()
		_ = publisher.Close() // events that it did not store stay in PostgreSQL
	})
	s.delivery.forwarders = []subscribers.Forwarder{publisher.Forwarder()}
	return listeners, nil
}

// declared lists the webhooks that the plugins of this server declare.
func (s *Server) declared() (all []webhook.Declared) {
	for _, w := range s.registered.Webhooks {
		all = append(all, webhook.Declared{PluginID: w.PluginID, Name: w.Name, Secret: w.Secret, Subscription: w.Subscription})
	}
	return all
}

// declareWebhooks stores the webhooks that plugins declare, and encrypts unencrypted secrets.
func (s *Server) declareWebhooks(ctx context.Context) error {
	if err := s.delivery.webhooks.Declare(ctx, s.declared()...); err != nil {
		return err
	}
	sealed, err := s.delivery.webhooks.EncryptSecrets(ctx)
	if sealed > 0 {
		s.log.Info().Int("secrets", sealed).Msg("webhook secrets are encrypted with DOCKET_SECRETS_KEY")
	}
	return err
}

// deliveryAreas are the areas of webhooks, notices and dead letters.
func (s *Server) deliveryAreas() []http.Area {
	return []http.Area{
		&http.Webhooks{Store: s.delivery.webhooks, Targets: s.registered.Targets, Scopes: s.registered.Scopes},
		&http.Notices{Store: s.delivery.notices},
		http.PublicNotices{Store: s.delivery.public, Check: s.moderation.CheckNotice, TrustedProxies: s.cfg.TrustedProxies},
		&http.Poison{Events: s.router},
		&http.Transparency{Store: s.transparency},
		&http.Statements{Store: s.statements, Moderation: s.moderation, Database: s.cfg.StatementsURL, Delay: s.cfg.StatementsDelay},
	}
}

// newStatements returns the store of statements of reasons. It sends none unless
// DOCKET_STATEMENTS_URL is set.
func (s *Server) newStatements() *statement.Store {
	var database *statement.Database
	if s.cfg.StatementsURL != "" {
		database = statement.NewDatabase(s.cfg.StatementsURL, s.cfg.StatementsToken)
	}
	return statement.New(s.db.Pool, policy.New(s.db.Pool, s.ledger()), s.registered.Targets, database, s.cfg.StatementsDelay, time.Now)
}
