import { Kbd, UnstyledButton } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import type { Verdict } from './verdictsOf';
import classes from './Verdicts.module.css';

interface Props {
  verdicts: readonly Verdict[];
  disabled: boolean;
  give: (verdict: Verdict) => void;
  /** The digit of the one that is chosen, where none decides at once; null for none. */
  chosen?: number | null;
}

/** Verdicts with their keys, each of which decides at once, or is chosen for a form. */
export function Verdicts({ verdicts, disabled, give, chosen }: Props) {
  const { t } = useI18n();
  if (verdicts.length === 0) return null;
  return (
    <ol className={classes.row} aria-label={t('verdict.title')}>
      {verdicts.map((verdict) => (
        <li key={verdict.policy?.key ?? ''} className={classes.item}>
          <UnstyledButton className={classes.verdict} data-verdict={verdict.digit} aria-keyshortcuts={String(verdict.digit)} aria-pressed={chosen === undefined ? undefined : chosen === verdict.digit} disabled={disabled} onClick={() => give(verdict)}>
            <Kbd size="xs" className={classes.key} aria-hidden="true">
              {verdict.digit}
            </Kbd>
            <span className={classes.name}>
              <bdi>{verdict.policy?.title ?? t('resolution.no_violation')}</bdi>
            </span>
            <Effect verdict={verdict} />
          </UnstyledButton>
        </li>
      ))}
    </ol>
  );
}

/** What is done to the content, or that the form opens first. */
function Effect({ verdict: { action, asks, proposes = false } }: { verdict: Verdict }) {
  const { t } = useI18n();
  if (action === null && !asks && !proposes) return null;
  return (
    <span className={classes.effect}>
      <Icon name={asks || proposes ? 'pencil' : action === 'hide' ? 'eyeOff' : 'eye'} size={14} />
      <span className="visually-hidden">{t(asks ? 'verdict.asks' : proposes ? 'verdict.proposes' : action === 'hide' ? 'verdict.hides' : 'verdict.restores')}</span>
    </span>
  );
}
