import type { ReportDecision } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { usePolicyTitle } from './usePolicies';

/** The rule that a decision refers to, with its version; leads to the public rules. */
export function PolicyLink({ policy }: { policy: NonNullable<ReportDecision['policy']> }) {
  const { t } = useI18n();
  const title = usePolicyTitle(policy);
  return (
    <span>
      <a href={`/rules#${policy.key}`} target="_blank" rel="noopener">
        <bdi>{title}</bdi>
      </a>{' '}
      <span style={{ color: 'var(--d-muted)' }}>{t('decision.version', { version: policy.version })}</span>
    </span>
  );
}
