import { useId, useRef, useState, type RefObject } from 'react';
import { useI18n } from '../../i18n/I18n';
import shared from './Admin.module.css';
import classes from './CodeEditor.module.css';
import { byLine, faultRange, type Fault } from './textPlaces';
import { useCompletion, type Complete } from './useCompletion';

interface Props {
  label: string;
  value: string;
  change: (text: string) => void;
  faults: readonly Fault[];
  /** What is told where nothing is wrong, below its heading. */
  notes?: { title: string; remarks: readonly Fault[] };
  readOnly?: boolean;
  /** What can follow what is written up to the caret. */
  complete?: Complete;
  /** How many lines it shows at least. */
  rows: number;
  ref?: RefObject<HTMLTextAreaElement | null>;
}

/** A text with the numbers of its lines. Each fault is marked at its line, and leads to its place. */
export function CodeEditor({ label, value, change, faults, notes, readOnly = false, complete, rows, ref }: Props) {
  const id = useId();
  const own = useRef<HTMLTextAreaElement>(null);
  const text = ref ?? own;
  const { t } = useI18n();
  const [scrolled, setScrolled] = useState(0);
  const completion = useCompletion(text, change, complete);
  const marked = byLine(faults);
  const count = value.split('\n').length;
  const goTo = (fault: Fault) => {
    text.current?.focus();
    text.current?.setSelectionRange(...faultRange(value, fault));
  };
  return (
    <div>
      <label className={shared.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.frame} dir="ltr">
        <div className={classes.editor} data-faulty={faults.length > 0 || undefined}>
          <div className={classes.gutter} aria-hidden="true">
            <div style={{ transform: `translateY(${-scrolled}px)` }}>
              {Array.from({ length: count }, (_, index) => (
                <div key={index} data-fault={marked.has(index + 1) || undefined} title={marked.get(index + 1)?.map(({ message }) => message).join('\n')}>
                  {index + 1}
                </div>
              ))}
            </div>
          </div>
          <textarea
            ref={text}
            id={id}
            className={classes.text}
            value={value}
            readOnly={readOnly}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            wrap="off"
            rows={Math.min(Math.max(count + 1, rows), 28)}
            aria-invalid={faults.length > 0 || undefined}
            aria-describedby={`${id}-faults`}
            onChange={(event) => {
              change(event.currentTarget.value);
              completion.changed();
            }}
            {...completion.props}
            onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
          />
        </div>
        {completion.list}
      </div>
      <div id={`${id}-faults`} aria-live="polite">
        {faults.length > 0 && <Remarks label={t('code.faults', { count: faults.length })} remarks={faults} goTo={goTo} bad />}
        {faults.length === 0 && notes !== undefined && notes.remarks.length > 0 && <Remarks label={notes.title} remarks={notes.remarks} goTo={goTo} />}
      </div>
    </div>
  );
}

function Remarks({ label, remarks, goTo, bad = false }: { label: string; remarks: readonly Fault[]; goTo: (fault: Fault) => void; bad?: boolean }) {
  const { t } = useI18n();
  return (
    <section className={classes.remarks} data-bad={bad || undefined}>
      <p>{label}</p>
      <ul>
        {remarks.map((remark, index) => (
          <li key={index}>
            {remark.line > 0 && (
              <button type="button" onClick={() => goTo(remark)}>
                {remark.column === undefined ? t('code.line', { line: remark.line }) : t('code.place', { line: remark.line, column: remark.column })}
              </button>
            )}{' '}
            <span dir="ltr">
              {remark.path !== '' && <code>{remark.path}</code>} {remark.message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
