import { useQuery } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useId, useRef, useState } from 'react';
import { checkManifest, type ManifestFault } from '../../api/platforms';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import shared from '../shared/Admin.module.css';
import { byLine, lineRange } from './manifestLines';
import classes from './Platforms.module.css';

const noFaults: readonly ManifestFault[] = [];

/** What the server finds in a manifest while it is typed: nothing is asked before the typing rests. */
export function useManifestCheck(manifest: string, enabled = true) {
  const [rested] = useDebouncedValue(manifest, 300);
  const check = useQuery({
    queryKey: keys.manifestCheck(rested),
    queryFn: ({ signal }) => checkManifest(rested, signal),
    enabled: enabled && rested.trim() !== '',
    placeholderData: (before) => before,
    staleTime: 10_000,
    gcTime: 10_000,
  });
  return { faults: rested.trim() === '' ? noFaults : (check.data?.faults ?? noFaults), notes: check.data?.notes ?? noFaults, settled: rested === manifest && check.isSuccess && !check.isPlaceholderData, error: check.error };
}

/** A manifest with the numbers of its lines. Each fault is marked at its line, and leads there. */
export function ManifestEditor({ value, change, faults, notes, readOnly = false }: { value: string; change: (text: string) => void; faults: readonly ManifestFault[]; notes: readonly ManifestFault[]; readOnly?: boolean }) {
  const { t } = useI18n();
  const id = useId();
  const text = useRef<HTMLTextAreaElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const marked = byLine(faults);
  const count = value.split('\n').length;
  const goTo = (line: number) => {
    text.current?.focus();
    text.current?.setSelectionRange(...lineRange(value, line));
  };
  return (
    <div>
      <label className={shared.label} htmlFor={id}>
        {t('platforms.manifest')}
      </label>
      <div className={classes.editor} dir="ltr" data-faulty={faults.length > 0 || undefined}>
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
          rows={Math.min(Math.max(count + 1, 12), 28)}
          aria-invalid={faults.length > 0 || undefined}
          aria-describedby={`${id}-faults`}
          onChange={(event) => change(event.currentTarget.value)}
          onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
        />
      </div>
      <div id={`${id}-faults`} aria-live="polite">
        {faults.length > 0 && <Remarks label={t('platforms.faults', { count: faults.length })} remarks={faults} goTo={goTo} bad />}
        {faults.length === 0 && notes.length > 0 && <Remarks label={t('platforms.notes')} remarks={notes} goTo={goTo} />}
      </div>
    </div>
  );
}

function Remarks({ label, remarks, goTo, bad = false }: { label: string; remarks: readonly ManifestFault[]; goTo: (line: number) => void; bad?: boolean }) {
  const { t } = useI18n();
  return (
    <section className={classes.remarks} data-bad={bad || undefined}>
      <p>{label}</p>
      <ul>
        {remarks.map(({ line, path, message }, index) => (
          <li key={index}>
            {line > 0 && (
              <button type="button" onClick={() => goTo(line)}>
                {t('platforms.line', { line })}
              </button>
            )}{' '}
            <span dir="ltr">
              {path !== '' && <code>{path}</code>} {message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
