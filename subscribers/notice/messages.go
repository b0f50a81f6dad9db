package notice

import (
	"cmp"
	"maps"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
)

// texts are the texts of notices by language and key. A plugin's message with the same key replaces
// one.
var texts = map[string]map[string]string{
	"en": {
		"notice.report.subject":                  "Your report has been decided",
		"notice.report.body":                     "Your report on \"{title}\" has been decided.",
		"notice.report.outcome.no_violation":     "Outcome: the moderators found no violation.",
		"notice.report.outcome.action_taken":     "Outcome: the moderators took action.",
		"notice.report.outcome.duplicate":        "Outcome: the matter had already been reported.",
		"notice.report.explanation":              "From the moderators:\n{words}",
		"notice.decision.subject":                "A decision about your content",
		"notice.decision.body":                   "The moderators have decided that \"{title}\" breaks the rules.",
		"notice.decision.hidden":                 "It is hidden from the public.",
		"notice.decision.policy":                 "The rule: {policy}.",
		"notice.decision.reasons":                "The reasons:\n{words}",
		"notice.decision.by_person":              "A person made this decision, not an automated rule.",
		"notice.decision.by_rule":                "An automated rule made this decision.",
		"notice.decision.appeal":                 "You can appeal until {until}, where your decisions are listed. Somebody else will then look at it again.",
		"notice.appeal.subject":                  "Your appeal has been decided",
		"notice.appeal.upheld":                   "Your appeal about \"{title}\" has been decided: the decision is kept.",
		"notice.appeal.overturned":               "Your appeal about \"{title}\" has been decided: the decision is overturned.",
		"notice.appeal.reply":                    "The reply:\n{words}",
		"notice.measure.subject":                 "A measure on your account",
		"notice.measure.subject_ended":           "A measure on your account has ended",
		"notice.measure.warn":                    "The moderators warn you because of \"{title}\".",
		"notice.measure.restrict":                "The moderators have restricted what you can do, because of \"{title}\". The restriction has no end.",
		"notice.measure.restrict.until":          "The moderators have restricted what you can do until {until}, because of \"{title}\".",
		"notice.measure.suspend":                 "The moderators have suspended you, because of \"{title}\". The suspension has no end.",
		"notice.measure.suspend.until":           "The moderators have suspended you until {until}, because of \"{title}\".",
		"notice.measure.terminate":               "The moderators have terminated your membership, because of \"{title}\".",
		"notice.measure.ended.warn":              "The warning because of \"{title}\" no longer stands.",
		"notice.measure.ended.restrict":          "The restriction because of \"{title}\" has ended.",
		"notice.measure.ended.suspend":           "The suspension because of \"{title}\" has ended.",
		"notice.measure.ended.terminate":         "The termination because of \"{title}\" has been taken back.",
		"notice.measure.ended_by.expiry":         "It has expired.",
		"notice.measure.ended_by.overturn":       "A decision that it was based on no longer stands.",
		"notice.measure.ended_by.moderator":      "A moderator ended it.",
		"notice.measure.standing.restrict":       "In force: what you can do is restricted, without an end.",
		"notice.measure.standing.restrict.until": "In force: what you can do is restricted until {until}.",
		"notice.measure.standing.suspend":        "In force: you are suspended, without an end.",
		"notice.measure.standing.suspend.until":  "In force: you are suspended until {until}.",
		"notice.measure.standing.terminate":      "In force: your membership is terminated.",
		"notice.measure.standing.none":           "No restriction, suspension or termination is in force.",
		"notice.untitled":                        "content without a title",
		"notice.link":                            "Read more",
		"notice.action.subject":                  "An action could not be done",
		"notice.action.body":                     "The action {action} on \"{title}\" could not be done. It is not tried again; you can request it anew.",
		"notice.action.subject_measure":          "A platform did not carry out a measure",
		"notice.action.measure":                  "The platform did not carry out what was decided about an author of \"{title}\": {measure}. It is not asked again; a new decision with the measure asks anew.",
		"notice.action.measure_end":              "The platform did not lift what has ended for an author of \"{title}\": {measure}. It is not asked again; ending the measure once more asks anew.",
		"notice.measure.name.warn":               "a warning",
		"notice.measure.name.restrict":           "a restriction",
		"notice.measure.name.suspend":            "a suspension",
		"notice.measure.name.terminate":          "a termination",
	},
	"ar": {
		"notice.report.subject":                  "تم البت في بلاغك",
		"notice.report.body":                     "تم البت في بلاغك عن «{title}».",
		"notice.report.outcome.no_violation":     "النتيجة: لم يجد المشرفون مخالفة.",
		"notice.report.outcome.action_taken":     "النتيجة: اتخذ المشرفون إجراءً.",
		"notice.report.outcome.duplicate":        "النتيجة: سبق الإبلاغ عن هذا الأمر.",
		"notice.report.explanation":              "من المشرفين:\n{words}",
		"notice.decision.subject":                "قرار بشأن محتواك",
		"notice.decision.body":                   "قرر المشرفون أن «{title}» يخالف القواعد.",
		"notice.decision.hidden":                 "وهو الآن مخفي عن العموم.",
		"notice.decision.policy":                 "القاعدة: {policy}.",
		"notice.decision.reasons":                "الأسباب:\n{words}",
		"notice.decision.by_person":              "اتخذ هذا القرار شخص، لا قاعدة آلية.",
		"notice.decision.by_rule":                "اتخذت هذا القرار قاعدة آلية.",
		"notice.decision.appeal":                 "يمكنك الاعتراض حتى {until} من صفحة قراراتك، وسينظر فيه شخص آخر.",
		"notice.appeal.subject":                  "تم البت في اعتراضك",
		"notice.appeal.upheld":                   "تم البت في اعتراضك بشأن «{title}»: أُبقي القرار.",
		"notice.appeal.overturned":               "تم البت في اعتراضك بشأن «{title}»: نُقض القرار.",
		"notice.appeal.reply":                    "الرد:\n{words}",
		"notice.measure.subject":                 "إجراء بحق حسابك",
		"notice.measure.subject_ended":           "انتهى إجراء بحق حسابك",
		"notice.measure.warn":                    "يحذرك المشرفون بسبب «{title}».",
		"notice.measure.restrict":                "قيّد المشرفون ما يمكنك فعله بسبب «{title}». وليس للتقييد نهاية.",
		"notice.measure.restrict.until":          "قيّد المشرفون ما يمكنك فعله حتى {until} بسبب «{title}».",
		"notice.measure.suspend":                 "أوقفك المشرفون بسبب «{title}». وليس للإيقاف نهاية.",
		"notice.measure.suspend.until":           "أوقفك المشرفون حتى {until} بسبب «{title}».",
		"notice.measure.terminate":               "أنهى المشرفون عضويتك بسبب «{title}».",
		"notice.measure.ended.warn":              "لم يعد التحذير بسبب «{title}» قائمًا.",
		"notice.measure.ended.restrict":          "انتهى التقييد بسبب «{title}».",
		"notice.measure.ended.suspend":           "انتهى الإيقاف بسبب «{title}».",
		"notice.measure.ended.terminate":         "أُلغي إنهاء العضوية بسبب «{title}».",
		"notice.measure.ended_by.expiry":         "انتهت صلاحيته.",
		"notice.measure.ended_by.overturn":       "لم يعد قرار استند إليه قائمًا.",
		"notice.measure.ended_by.moderator":      "أنهاه مشرف.",
		"notice.measure.standing.restrict":       "ساري المفعول: ما يمكنك فعله مقيّد بلا نهاية.",
		"notice.measure.standing.restrict.until": "ساري المفعول: ما يمكنك فعله مقيّد حتى {until}.",
		"notice.measure.standing.suspend":        "ساري المفعول: أنت موقوف بلا نهاية.",
		"notice.measure.standing.suspend.until":  "ساري المفعول: أنت موقوف حتى {until}.",
		"notice.measure.standing.terminate":      "ساري المفعول: عضويتك منتهية.",
		"notice.measure.standing.none":           "لا تقييد ولا إيقاف ولا إنهاء عضوية ساري المفعول.",
		"notice.untitled":                        "محتوى بلا عنوان",
		"notice.link":                            "اقرأ المزيد",
		"notice.action.subject":                  "تعذّر تنفيذ إجراء",
		"notice.action.body":                     "تعذّر تنفيذ الإجراء {action} على «{title}». ولن تُعاد المحاولة، ويمكنك طلبه من جديد.",
		"notice.action.subject_measure":          "لم تنفذ منصة إجراءً بحق شخص",
		"notice.action.measure":                  "لم تنفذ المنصة ما تقرر بحق أحد كُتّاب «{title}»: {measure}. ولن تُعاد المحاولة، وقرار جديد بالإجراء نفسه يطلبه من جديد.",
		"notice.action.measure_end":              "لم ترفع المنصة ما انتهى بحق أحد كُتّاب «{title}»: {measure}. ولن تُعاد المحاولة، وإنهاء الإجراء مرة أخرى يطلب ذلك من جديد.",
		"notice.measure.name.warn":               "تحذير",
		"notice.measure.name.restrict":           "تقييد",
		"notice.measure.name.suspend":            "إيقاف",
		"notice.measure.name.terminate":          "إنهاء العضوية",
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
	for _, l := range []string{locale, domain.Language(locale)} {
		if s.Messages()[l]["notice.report.subject"] != "" {
			return l
		}
	}
	return "en"
}

// text returns a message with its values, which alternate between name and value.
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
	key := "notice." + string(n.Kind) + ".subject"
	switch {
	case n.Measure == nil:
	case n.Kind == ActionKind:
		key += "_measure"
	case n.Measure.ended():
		key += "_ended"
	}
	return s.text(s.language(locale), key)
}

// Paragraphs returns the text of a notice in the language of the locale.
func (s *Store) Paragraphs(n Notice, locale string) []string {
	language := s.language(locale)
	var out []string
	add := func(key string, values ...string) { out = append(out, s.text(language, key, values...)) }
	title := cmp.Or(oneLine(n.Target.Title), s.text(language, "notice.untitled"))
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
		addDecision(n, add)
	case MeasureKind:
		addMeasure(n, title, add)
	case AppealKind:
		add("notice.appeal."+*n.Outcome, "title", title)
		if n.Reply != nil {
			add("notice.appeal.reply", "words", *n.Reply)
		}
	case ActionKind:
		addFailed(n, title, func(k measure.Kind) string { return s.text(language, "notice.measure.name."+string(k)) }, add)
		if n.Failure != nil {
			out = append(out, *n.Failure)
		}
	}
	return out
}

// addFailed adds the text about a failed request.
func addFailed(n Notice, title string, name func(measure.Kind) string, add func(key string, values ...string)) {
	if n.Measure == nil {
		add("notice.action.body", "title", title, "action", domain.OrEmpty(n.Action))
		return
	}
	key := "notice.action.measure"
	if n.Measure.Ends {
		key += "_end"
	}
	add(key, "title", title, "measure", name(n.Measure.Kind))
}

// addDecision adds the reasons of a decision, and how to appeal it. A MeasureKind has no reasons.
func addDecision(n Notice, add func(key string, values ...string)) {
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
}
