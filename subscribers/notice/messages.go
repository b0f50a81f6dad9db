package notice

import (
	"maps"
	"strings"

	"github.com/docketmod/docket/domain"
)

// texts are the messages of notices by language and key. A plugin's message of the same key
// replaces one.
var texts = map[string]map[string]string{
	"en": {
		"notice.report.subject":              "Your report has been decided",
		"notice.report.body":                 "Your report on \"{title}\" has been decided.",
		"notice.report.outcome.no_violation": "Outcome: the moderators found no violation.",
		"notice.report.outcome.action_taken": "Outcome: the moderators took action.",
		"notice.report.outcome.duplicate":    "Outcome: the matter had already been reported.",
		"notice.report.explanation":          "From the moderators:\n{words}",
		"notice.decision.subject":            "A decision about your content",
		"notice.decision.body":               "The moderators have decided that \"{title}\" breaks the rules.",
		"notice.decision.hidden":             "It is hidden from the public.",
		"notice.decision.policy":             "The rule: {policy}.",
		"notice.decision.reasons":            "The reasons:\n{words}",
		"notice.decision.by_person":          "A person made this decision, not an automated rule.",
		"notice.decision.by_rule":            "An automated rule made this decision.",
		"notice.decision.appeal":             "You can appeal until {until}, where your decisions are listed. Somebody else will then look at it again.",
		"notice.appeal.subject":              "Your appeal has been decided",
		"notice.appeal.upheld":               "Your appeal about \"{title}\" has been decided: the decision is kept.",
		"notice.appeal.overturned":           "Your appeal about \"{title}\" has been decided: the decision is overturned.",
		"notice.appeal.reply":                "The reply:\n{words}",
		"notice.link":                        "Read more",
		"notice.action.subject":              "An action could not be done",
		"notice.action.body":                 "The action {action} on \"{title}\" could not be done. It is not tried again; you can request it anew.",
	},
	"ar": {
		"notice.report.subject":              "تم البت في بلاغك",
		"notice.report.body":                 "تم البت في بلاغك عن «{title}».",
		"notice.report.outcome.no_violation": "النتيجة: لم يجد المشرفون مخالفة.",
		"notice.report.outcome.action_taken": "النتيجة: اتخذ المشرفون إجراءً.",
		"notice.report.outcome.duplicate":    "النتيجة: سبق الإبلاغ عن هذا الأمر.",
		"notice.report.explanation":          "من المشرفين:\n{words}",
		"notice.decision.subject":            "قرار بشأن محتواك",
		"notice.decision.body":               "قرر المشرفون أن «{title}» يخالف القواعد.",
		"notice.decision.hidden":             "وهو الآن مخفي عن العموم.",
		"notice.decision.policy":             "القاعدة: {policy}.",
		"notice.decision.reasons":            "الأسباب:\n{words}",
		"notice.decision.by_person":          "اتخذ هذا القرار شخص، لا قاعدة آلية.",
		"notice.decision.by_rule":            "اتخذت هذا القرار قاعدة آلية.",
		"notice.decision.appeal":             "يمكنك الاعتراض حتى {until} من صفحة قراراتك، وسينظر فيه شخص آخر.",
		"notice.appeal.subject":              "تم البت في اعتراضك",
		"notice.appeal.upheld":               "تم البت في اعتراضك بشأن «{title}»: أُبقي القرار.",
		"notice.appeal.overturned":           "تم البت في اعتراضك بشأن «{title}»: نُقض القرار.",
		"notice.appeal.reply":                "الرد:\n{words}",
		"notice.link":                        "اقرأ المزيد",
		"notice.action.subject":              "تعذّر تنفيذ إجراء",
		"notice.action.body":                 "تعذّر تنفيذ الإجراء {action} على «{title}». ولن تُعاد المحاولة، ويمكنك طلبه من جديد.",
	},
}

func withPlugins(plugins map[string]map[string]string) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, from := range []map[string]map[string]string{texts, plugins} {
		for language, messages := range from {
			if all[language] == nil {
				all[language] = map[string]string{}
			}
			maps.Copy(all[language], messages)
		}
	}
	return all
}

// language returns the language of the messages for a locale: the locale itself, its
// language without a region, or English.
func (s *Store) language(locale string) string {
	for _, l := range []string{locale, strings.FieldsFunc(locale+"-", func(r rune) bool { return r == '-' || r == '_' })[0]} {
		if s.Messages()[l]["notice.report.subject"] != "" {
			return l
		}
	}
	return "en"
}

// text returns a message with its values, which are given as name and value in turn.
func (s *Store) text(language, key string, values ...string) string {
	message := s.Messages()[language][key]
	if message == "" {
		message = texts["en"][key]
	}
	for i := 0; i+1 < len(values); i += 2 {
		values[i] = "{" + values[i] + "}"
	}
	return strings.NewReplacer(values...).Replace(message)
}

// Subject returns the subject of a notice in the language of the locale.
func (s *Store) Subject(n Notice, locale string) string {
	return s.text(s.language(locale), "notice."+string(n.Kind)+".subject")
}

// Paragraphs returns the text of a notice in the language of the locale.
func (s *Store) Paragraphs(n Notice, locale string) []string {
	language := s.language(locale)
	var out []string
	add := func(key string, values ...string) { out = append(out, s.text(language, key, values...)) }
	title := oneLine(n.Target.Title)
	switch n.Kind {
	case ReportKind:
		add("notice.report.body", "title", title)
		add("notice.report.outcome." + n.Resolution)
		if n.Explanation != nil {
			add("notice.report.explanation", "words", *n.Explanation)
		}
	case DecisionKind:
		add("notice.decision.body", "title", title)
		if n.Hidden {
			add("notice.decision.hidden")
		}
		if n.PolicyTitle != nil {
			add("notice.decision.policy", "policy", oneLine(*n.PolicyTitle))
		}
		if words := plain(n.Reasons); words != "" {
			add("notice.decision.reasons", "words", words)
		}
		if n.Automatic {
			add("notice.decision.by_rule")
		} else {
			add("notice.decision.by_person")
		}
		if n.AppealableUntil != nil {
			add("notice.decision.appeal", "until", n.AppealableUntil.UTC().Format("2006-01-02"))
		}
	case AppealKind:
		add("notice.appeal."+*n.Outcome, "title", title)
		if n.Reply != nil {
			add("notice.appeal.reply", "words", *n.Reply)
		}
	case ActionKind:
		add("notice.action.body", "title", title, "action", domain.OrEmpty(n.Action))
		if n.Failure != nil {
			out = append(out, *n.Failure)
		}
	}
	return out
}
