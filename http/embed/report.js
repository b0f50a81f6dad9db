// <docket-report plugin type target token-url sign-in-url>: a button that reports content to Docket.
// token-url is an address of the page's own site that answers {"token": "…"}: a token of the
// member who is signed in there. Answer 401 where nobody is: then the element says so before
// anything is written, with a link to sign-in-url if there is one.

const TEXT = {
  en: {
    report: 'Report', title: 'Report this content', reason: 'What is wrong with it?',
    spam: 'Spam', abusive: 'Abuse or harassment', rule_violation: 'It breaks the rules', other: 'Something else', rule: 'Which rule?', anyRule: 'Another one',
    details: 'Details', optional: '(optional)', needed: '(at least 10 characters)', send: 'Send report', cancel: 'Cancel', close: 'Close',
    thanks: 'Thank you. Your report has been sent to the moderators.',
    choose: 'Choose a reason.', short: 'Describe the problem in at least 10 characters.',
    e401: 'Sign in to report this.', signIn: 'Sign in', e403: 'You cannot report this.', e404: 'This content is no longer available.',
    e409: 'You have already reported this. The moderators will look at it.',
    e429: 'You have reported a lot. Try again in {n} minutes.', e400: 'The report could not be sent: {m}',
    e503: 'The report could not be sent at the moment. Try again shortly.',
  },
  ar: {
    report: 'إبلاغ', title: 'الإبلاغ عن هذا المحتوى', reason: 'ما المشكلة؟',
    spam: 'محتوى مزعج', abusive: 'إساءة أو مضايقة', rule_violation: 'يخالف القواعد', other: 'سبب آخر', rule: 'أي قاعدة؟', anyRule: 'قاعدة أخرى',
    details: 'التفاصيل', optional: '(اختياري)', needed: '(10 أحرف على الأقل)', send: 'إرسال البلاغ', cancel: 'إلغاء', close: 'إغلاق',
    thanks: 'شكرًا لك. أُرسل بلاغك إلى المشرفين.',
    choose: 'اختر سببًا.', short: 'صف المشكلة في 10 أحرف على الأقل.',
    e401: 'سجّل الدخول للإبلاغ عن هذا.', signIn: 'تسجيل الدخول', e403: 'لا يمكنك الإبلاغ عن هذا.', e404: 'لم يعد هذا المحتوى متاحًا.',
    e409: 'لقد أبلغت عن هذا من قبل. سينظر المشرفون فيه.',
    e429: 'أرسلت بلاغات كثيرة. حاول مجددًا بعد {n} دقيقة.', e400: 'تعذّر إرسال البلاغ: {m}',
    e503: 'تعذّر إرسال البلاغ الآن. حاول مجددًا بعد قليل.',
  },
};

const STYLE = `
:host { display: inline-block; font: inherit; }
button { font: inherit; min-height: 2.75rem; padding: .4rem 1rem; border-radius: .4rem; border: 1px solid #6b7280; background: #fff; color: #111827; cursor: pointer; }
button.main { background: #1d4ed8; border-color: #1d4ed8; color: #fff; }
button:disabled { opacity: .65; cursor: default; }
:focus-visible { outline: 3px solid #1d4ed8; outline-offset: 2px; }
dialog { box-sizing: border-box; width: min(28rem, calc(100vw - 2rem)); max-height: calc(100vh - 2rem); padding: 1.25rem; border: 0; border-radius: .75rem; color: #111827; background: #fff; text-align: start; }
dialog::backdrop { background: rgb(0 0 0 / .5); }
h2 { margin: 0 0 1rem; font-size: 1.2rem; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; }
legend, .label { font-weight: 600; padding: 0; margin-block-end: .4rem; display: block; }
.choice { display: flex; gap: .6rem; align-items: center; min-height: 2.75rem; }
textarea, select { box-sizing: border-box; width: 100%; min-height: 2.75rem; font: inherit; padding: .5rem; border: 1px solid #6b7280; border-radius: .4rem; color: inherit; background: inherit; }
textarea { min-height: 5rem; }
.error { color: #b91c1c; margin: .75rem 0; }
.row { display: flex; gap: .6rem; justify-content: flex-end; align-items: center; margin-block-start: 1rem; }
@media (prefers-color-scheme: dark) { :host([theme=auto]) dialog { background: #111827; color: #f9fafb; } :host([theme=auto]) .error { color: #fca5a5; } }
`;

// A style element would be refused by the Content-Security-Policy of many pages.
const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLE);

const BASE = new URL('..', import.meta.url);
const LOCALE = /^(?=.{2,64}$)[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i; // what Docket takes for one
const REASONS = ['spam', 'abusive', 'rule_violation', 'other'];

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

class DocketReport extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const language = this.closest('[lang]')?.lang || navigator.language || 'en';
    this.language = language.toLowerCase().startsWith('ar') ? 'ar' : 'en';
    this.text = TEXT[this.language];
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [SHEET];
    this.button = element('button', { type: 'button', textContent: this.text.report });
    this.button.setAttribute('aria-haspopup', 'dialog');
    this.button.addEventListener('click', () => this.open());
    this.shadowRoot.append(this.direct(this.button));
  }

  direct(node) {
    node.lang = this.language;
    node.dir = this.language === 'ar' ? 'rtl' : 'ltr';
    return node;
  }

  open() {
    this.dialog?.remove();
    const t = this.text;
    const heading = element('h2', { id: 'title', textContent: t.title });
    const choices = REASONS.map((reason) =>
      element('label', { className: 'choice' }, element('input', { type: 'radio', name: 'reason', value: reason }), t[reason]));
    const hint = element('span', { textContent: ` ${t.optional}` });
    const details = element('textarea', { id: 'details', maxLength: 2000 });
    const rule = element('select', { id: 'rule' });
    const rules = element('p', { hidden: true }, element('label', { className: 'label', htmlFor: 'rule' }, t.rule, element('span', { textContent: ` ${t.optional}` })), rule);
    const label = element('label', { className: 'label', htmlFor: 'details' }, t.details, hint);
    const error = element('p', { className: 'error', id: 'error', hidden: true });
    error.setAttribute('role', 'alert');
    const cancel = element('button', { type: 'button', textContent: t.cancel });
    const send = element('button', { type: 'submit', className: 'main', textContent: t.send });
    const form = element('form', { noValidate: true },
      element('fieldset', {}, element('legend', { textContent: t.reason }), ...choices), rules, label, details, error,
      element('div', { className: 'row' }, cancel, send));
    const dialog = this.direct(element('dialog', {}, heading, form));
    dialog.setAttribute('aria-labelledby', 'title');
    cancel.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => { dialog.remove(); this.button.focus(); });
    form.addEventListener('change', () => {
      hint.textContent = ` ${form.reason.value === 'other' ? t.needed : t.optional}`;
      this.offer(rules, rule, form.reason.value === 'rule_violation');
    });
    const fail = (message, at) => {
      error.textContent = message;
      error.hidden = false;
      details.removeAttribute('aria-describedby');
      if (at === details) details.setAttribute('aria-describedby', 'error');
      at?.focus();
    };
    // say puts a sentence in the place of the form.
    const say = (sentence, ...links) => {
      const said = element('p', { textContent: sentence });
      said.setAttribute('role', 'status');
      const close = element('button', { type: 'button', className: 'main', textContent: t.close });
      close.addEventListener('click', () => dialog.close());
      form.replaceWith(said, element('div', { className: 'row' }, ...links, close));
      close.focus();
    };
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (send.disabled) return;
      error.hidden = true;
      const reason = form.reason.value, description = details.value.trim();
      if (!reason) return fail(t.choose, form.querySelector('input'));
      if (reason === 'other' && [...description].length < 10) return fail(t.short, details);
      send.disabled = true;
      const problem = await this.send(reason, description, rules.hidden ? null : rule.value || null);
      send.disabled = false;
      if (problem) return fail(problem, send);
      say(t.thanks);
      this.dispatchEvent(new CustomEvent('docket-reported', { bubbles: true, composed: true }));
    });
    this.dialog = dialog;
    this.shadowRoot.append(dialog);
    dialog.showModal();
    this.token().then(({ guest }) => {
      if (!guest || !form.isConnected) return;
      const url = this.getAttribute('sign-in-url');
      say(t.e401, ...(url === null ? [] : [element('a', { href: url, textContent: t.signIn })]));
    }, () => {}); // sending says what is wrong
  }

  // token asks the page's site for a token; guest says that nobody is signed in there.
  async token() {
    const asked = await fetch(this.getAttribute('token-url'), { credentials: 'same-origin', headers: { Accept: 'application/json' } });
    if (asked.status === 401 || asked.status === 403) return { guest: true };
    return asked.ok ? asked.json() : {};
  }

  // offer shows the rules that can be named, if the community has such, while a rule is said to be broken.
  async offer(rules, select, wanted) {
    rules.hidden = !wanted || select.length === 0;
    if (!wanted || select.length > 0) return;
    try {
      this.rules ??= fetch(new URL('moderation/policies?first=100', BASE), { credentials: 'omit' }).then((answer) => answer.json());
      const offered = (await this.rules).edges.filter((policy) => policy.reportable);
      if (offered.length === 0 || select.length > 0) return;
      select.append(element('option', { value: '', textContent: this.text.anyRule }), ...offered.map(({ key, title }) => element('option', { value: key, textContent: title })));
      rules.hidden = !rules.closest('form').querySelector('[value=rule_violation]').checked;
    } catch {
      this.rules = undefined; // the report can be sent without
    }
  }

  // send returns what went wrong, for a person, or nothing.
  async send(reason, description, policy) {
    const t = this.text, lang = this.closest('[lang]')?.lang ?? '';
    try {
      const { token, guest } = await this.token();
      if (guest) return t.e401;
      if (!token) return t.e503;
      const answer = await fetch(new URL('moderation/reports', BASE), {
        method: 'POST', credentials: 'omit',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify({
          pluginId: this.getAttribute('plugin'), targetType: this.getAttribute('type'), targetId: this.getAttribute('target'),
          requestedLocale: LOCALE.test(lang) ? lang : null, reason, description: description || null,
          ...(policy && { policy }),
        }),
      });
      if (answer.ok) return undefined;
      const body = await answer.json().catch(() => ({}));
      if (answer.status === 429) return t.e429.replace('{n}', Math.max(1, Math.ceil((body.retryAfter || 60) / 60)));
      if (answer.status === 400) return t.e400.replace('{m}', body.issues?.map((i) => i.message).join(' ') || body.message || '');
      return t[`e${answer.status}`] || t.e503;
    } catch {
      return t.e503;
    }
  }
}

if (!customElements.get('docket-report')) customElements.define('docket-report', DocketReport);
