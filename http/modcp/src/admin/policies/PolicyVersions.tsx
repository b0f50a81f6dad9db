import { Select } from '@mantine/core';
import { useState } from 'react';
import type { Policy } from '../../api/policies';
import { TextDifference } from '../../compare/TextDifference';
import { useI18n } from '../../i18n/I18n';
import { Words } from '../../richtext/Words';
import { Panel } from '../../ui/Panel';
import { Tag } from '../../ui/Tag';
import classes from './Policies.module.css';
import { bodyWords } from './policyDraft';

/** Shows one version of a policy, or compares two; `versions` come newest first. */
export function PolicyVersions({ versions }: { versions: Policy[] }) {
  const { t, date } = useI18n();
  const newest = versions[0]!;
  const [earlier, setEarlier] = useState(String((versions[1] ?? newest).version));
  const [later, setLater] = useState(String(newest.version));
  const find = (version: string) => versions.find((policy) => String(policy.version) === version) ?? newest;
  const before = find(earlier);
  const after = find(later);
  const options = versions.map(({ version, publishedAt }) => ({ value: String(version), label: t('policies.versionOf', { version, date: date(publishedAt) }) }));
  const parts = (['title', 'text', 'template'] as const)
    .map((name) => ({ name, before: bodyWords(before[name]), after: bodyWords(after[name]) }))
    .filter((part) => part.before !== '' || part.after !== '');
  const strikesOf = ({ strikes, strikeDays }: Policy) => t('policies.strikesFor', { strikes, days: strikeDays });
  const reportableOf = ({ reportable }: Policy) => t(reportable ? 'policies.reportable' : 'policies.notReportable');
  const secondKeyOf = ({ secondKey }: Policy) => t(secondKey ? 'policies.secondKey' : 'policies.noSecondKey');
  return (
    <div className={classes.versions}>
      <Panel id="versions" title={t('policies.versions')}>
        {versions.length > 1 && (
          <div className={classes.pick}>
            <Select label={t('policies.compare')} data={options} value={earlier} onChange={(value) => setEarlier(value ?? earlier)} />
            <Select label={t('policies.compareWith')} data={options} value={later} onChange={(value) => setLater(value ?? later)} />
          </div>
        )}
        {before.version === after.version ? (
          <article>
            <h3 dir="auto">
              {after.title} {after.retiredAt !== null && <Tag tone="amber">{t('policies.retiredTag')}</Tag>}
            </h3>
            <Words body={after.text} />
            {after.strikes > 0 && <p className={classes.hint}>{strikesOf(after)}</p>}
            {after.reportable && <p className={classes.hint}>{reportableOf(after)}</p>}
            {after.secondKey && <p className={classes.hint}>{secondKeyOf(after)}</p>}
          </article>
        ) : (
          [...parts, ...(before.strikes + after.strikes === 0 ? [] : [{ name: 'strikes' as const, before: strikesOf(before), after: strikesOf(after) }]),
            ...(before.reportable === after.reportable ? [] : [{ name: 'reporting' as const, before: reportableOf(before), after: reportableOf(after) }]),
            ...(before.secondKey === after.secondKey ? [] : [{ name: 'releasing' as const, before: secondKeyOf(before), after: secondKeyOf(after) }])].map((part) => (
            <section key={part.name} className={classes.part}>
              <h3>{t(`policies.${part.name}`)}</h3>
              <TextDifference before={part.before} after={part.after} />
            </section>
          ))
        )}
      </Panel>
    </div>
  );
}
