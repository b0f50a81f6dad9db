import type { ReactNode } from 'react';
import { useI18n } from '../i18n/I18n';
import type { Reason, Resolution, Status } from '../api/types';
import classes from './Tag.module.css';

export type Tone = 'neutral' | 'red' | 'amber' | 'green' | 'blue' | 'violet';

export function Tag({ tone = 'neutral', dot = false, children, title }: { tone?: Tone; dot?: boolean; children: ReactNode; title?: string }) {
  return (
    <span className={classes.tag} data-tone={tone} title={title}>
      {dot && <span className={classes.dot} aria-hidden="true" />}
      {children}
    </span>
  );
}

const statusTones: Record<Status, Tone> = { new: 'blue', in_progress: 'amber', done: 'green' };
const reasonTones: Record<Reason, Tone> = { spam: 'violet', abusive: 'red', rule_violation: 'amber', other: 'neutral' };
const resolutionTones: Record<Resolution, Tone> = { no_violation: 'neutral', action_taken: 'red', duplicate: 'blue' };

export function StatusTag({ status }: { status: Status }) {
  const { t } = useI18n();
  return (
    <Tag tone={statusTones[status]} dot>
      {t(`status.${status}`)}
    </Tag>
  );
}

export function ReasonTag({ reason }: { reason: Reason }) {
  const { t } = useI18n();
  return <Tag tone={reasonTones[reason]}>{t(`reason.${reason}`)}</Tag>;
}

export function ResolutionTag({ resolution }: { resolution: Resolution }) {
  const { t } = useI18n();
  return <Tag tone={resolutionTones[resolution]}>{t(`resolution.${resolution}`)}</Tag>;
}

/** Marks what comes from a trusted flagger. */
export function FlaggerTag() {
  const { t } = useI18n();
  return <Tag tone="blue">{t('source.trusted_flagger')}</Tag>;
}
