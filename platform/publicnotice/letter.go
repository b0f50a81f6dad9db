package publicnotice

import (
	"fmt"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/publicnotice"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/platform/mail"
)

type letter struct {
	confirm, opened, button, ignore                    string
	decided, about, acted, kept, duplicate, words, man string
	complain, until, court                             string
}

var letters = map[string]letter{
	"en": {
		confirm: "Confirm your notice", opened: "Somebody, we hope you, has sent us a notice about content with this address. Open the page and press its button, and moderators will look at it. The link works for a day.",
		button: "Confirm the notice", ignore: "If it was not you, do nothing: nothing will happen.",
		decided: "Your notice was decided", about: "You sent us a notice about this content:\n%s",
		acted: "We have taken action against it.", kept: "We found that it is neither illegal nor against our rules, so it stays.", duplicate: "We have decided on it already, after another notice or report.",
		words: "From the moderators:\n%s", man: "A person decided this.",
		complain: "If you disagree, complain by answering this mail%s. Somebody else will look at it again, free of charge.", until: " by %s",
		court: "You can also turn to a certified out-of-court dispute settlement body, or to a court.",
	},
	"ar": {
		confirm: "أكّد إشعارك", opened: "أرسل إلينا أحدهم، ونأمل أن يكون أنت، إشعارًا عن محتوى وذكر هذا العنوان. افتح الصفحة واضغط زرها لينظر فيه المشرفون. يعمل الرابط يومًا واحدًا.",
		button: "تأكيد الإشعار", ignore: "إن لم تكن أنت فلا تفعل شيئًا، ولن يحدث شيء.",
		decided: "صدر قرار في إشعارك", about: "أرسلت إلينا إشعارًا عن هذا المحتوى:\n%s",
		acted: "اتخذنا إجراءً بحقه.", kept: "وجدنا أنه لا يخالف القانون ولا قواعدنا، فسيبقى.", duplicate: "سبق أن قررنا فيه بعد إشعار أو بلاغ آخر.",
		words: "من المشرفين:\n%s", man: "اتخذ هذا القرار إنسان.",
		complain: "إن لم توافق فاعترض بالرد على هذه الرسالة%s، وسينظر فيه شخص آخر من جديد بلا مقابل.", until: " حتى %s",
		court: "ويمكنك أيضًا اللجوء إلى هيئة معتمدة لتسوية النزاعات خارج المحكمة، أو إلى القضاء.",
	},
}

// linkLetter contains nothing that the sender of the notice wrote, since the address may be
// somebody else's.
func linkLetter(n publicnotice.Notice, id, link string) mail.Message {
	language, t := mail.In(letters, n.Language)
	return mail.Message{ID: id, To: domain.OrEmpty(n.Email), Language: language, Subject: t.confirm, Paragraphs: []string{t.opened, t.ignore},
		Link: &mail.Link{Label: t.button, URL: link}}
}

func outcomeLetter(w report.NoticeWords, p outcome, explanation *string, appealable *time.Time) mail.Message {
	language, t := mail.In(letters, w.Language)
	decided := map[string]string{string(report.ActionTaken): t.acted, string(report.NoViolation): t.kept, string(report.Duplicate): t.duplicate}[p.Resolution]
	m := mail.Message{ID: p.EventID, To: domain.OrEmpty(w.Email), Language: language, Subject: t.decided,
		Paragraphs: []string{fmt.Sprintf(t.about, w.URL), decided + " " + t.man}}
	if explanation != nil {
		m.Paragraphs = append(m.Paragraphs, fmt.Sprintf(t.words, *explanation))
	}
	until := ""
	if appealable != nil {
		until = fmt.Sprintf(t.until, appealable.UTC().Format(time.DateOnly))
	}
	m.Paragraphs = append(m.Paragraphs, fmt.Sprintf(t.complain, until)+" "+t.court)
	return m
}
