import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useI18n } from '../../i18n/I18n';
import { CodeEditor } from '../shared/CodeEditor';
import shared from '../shared/Admin.module.css';
import { completionsOf } from './completions';
import classes from './Rules.module.css';
import type { useRuleCheck } from './useRuleCheck';

/** A condition with its faults, which the server finds meanwhile, and the facts that it can name. */
export function ConditionEditor({ when, change, check }: { when: string; change: (when: string) => void; check: ReturnType<typeof useRuleCheck> }) {
  const { t } = useI18n();
  const text = useRef<HTMLTextAreaElement>(null);
  const insert = (name: string) => {
    const { selectionStart = when.length, selectionEnd = when.length } = text.current ?? {};
    flushSync(() => change(when.slice(0, selectionStart) + name + when.slice(selectionEnd)));
    text.current?.focus();
    text.current?.setSelectionRange(selectionStart + name.length, selectionStart + name.length);
  };
  return (
    <>
      <CodeEditor label={t('backtest.when')} rows={5} value={when} change={change} faults={check.faults} complete={completionsOf(check.facts)} ref={text} />
      {check.facts.length > 0 && (
        <div>
          <p className={shared.label} id="facts">
            {t('backtest.facts')}
          </p>
          <ul className={classes.facts} dir="ltr" aria-labelledby="facts">
            {check.facts.map(({ name, type }) => (
              <li key={name}>
                <button type="button" onClick={() => insert(name)}>
                  {name} <span>{type}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
