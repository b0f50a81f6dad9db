import { Select } from '@mantine/core';
import { useState } from 'react';
import type { Rule } from '../../api/rules';
import { useI18n } from '../../i18n/I18n';
import { Panel } from '../../ui/Panel';
import shared from '../shared/Admin.module.css';
import { ModeTag } from './RuleMode';
import classes from './Rules.module.css';
import { useThenText } from './useThenText';

/** Two versions of a rule side by side; `versions` come newest first. */
export function RuleVersions({ versions }: { versions: Rule[] }) {
  const { t, date } = useI18n();
  const newest = versions[0]!;
  const [earlier, setEarlier] = useState(String((versions[1] ?? newest).version));
  const [later, setLater] = useState(String(newest.version));
  const find = (version: string) => versions.find((rule) => String(rule.version) === version) ?? newest;
  const options = versions.map(({ version, publishedAt }) => ({ value: String(version), label: t('policies.versionOf', { version, date: date(publishedAt) }) }));
  return (
    <Panel id="versions" title={t('policies.versions')}>
      {versions.length === 1 ? (
        <Version of={newest} beside={newest} />
      ) : (
        <div className={classes.sides}>
          <div>
            <Select label={t('policies.compare')} data={options} value={earlier} onChange={(value) => setEarlier(value ?? earlier)} />
            <Version of={find(earlier)} beside={find(later)} />
          </div>
          <div>
            <Select label={t('policies.compareWith')} data={options} value={later} onChange={(value) => setLater(value ?? later)} />
            <Version of={find(later)} beside={find(earlier)} />
          </div>
        </div>
      )}
    </Panel>
  );
}

/** One version; what another one says otherwise is marked. */
function Version({ of: rule, beside }: { of: Rule; beside: Rule }) {
  const { t } = useI18n();
  const thenText = useThenText();
  const marked = (same: boolean) => (same ? undefined : true);
  const then = thenText(rule.then);
  return (
    <article className={classes.version} aria-label={t('auto.versionNumber', { version: rule.version })}>
      <h3 data-changed={marked(rule.title === beside.title)}>
        <bdi>{rule.title}</bdi> <ModeTag of={rule} />
      </h3>
      <pre className={classes.condition} dir="ltr" data-changed={marked(rule.when === beside.when)}>
        {rule.when}
      </pre>
      <p className={shared.detail} data-changed={marked(then === thenText(beside.then))}>
        {then}
      </p>
    </article>
  );
}
