import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Person, Report, Snapshot, SnapshotField } from '../../api/types';
import { Spared } from '../../care/Spared';
import { useScopeLabel } from '../../board/useTargetTypes';
import { formatLanguage } from '../../i18n/format';
import { useI18n } from '../../i18n/I18n';
import { useCommands } from '../../keyboard/CommandProvider';
import { LinkList } from '../../links/LinkList';
import { AuthorLink } from '../../measures/AuthorLink';
import { authorPath } from '../../measures/authorPath';
import { AuthorStanding } from '../../measures/AuthorStanding';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { Tag } from '../../ui/Tag';
import classes from './EvidencePanel.module.css';
import { AuthorRecord } from '../records/AuthorRecord';
import { Translation } from '../../translation/Translation';
import { SnapshotFieldViewer } from './SnapshotFieldViewer';
import { useContentChange } from './useContentChange';

const FieldDifference = lazy(() => import('./FieldDifference').then((m) => ({ default: m.FieldDifference })));

/** The content as the reporter saw it, and how it differs from now. */
export function EvidencePanel({ report }: { report: Report }) {
  const { t } = useI18n();
  const [compared, setCompared] = useState(false);
  const { snapshot } = report;
  const change = useContentChange(report);
  const comparing = compared && change.length > 0;
  const scopeLabel = useScopeLabel();
  const { scope } = report.target;
  // The id of the area that the content is in reads as its name.
  const named = (field: SnapshotField) => (scope !== null && field.kind === 'value' && field.value === scope.id ? { ...field, value: scopeLabel(scope) } : field);
  if (snapshot === null) {
    return (
      <Panel title={t('report.evidence')} id="evidence">
        <p className={classes.erased}>{t('state.erased')}</p>
      </Panel>
    );
  }
  return (
    <Panel
      id="evidence"
      title={
        <span className={classes.head}>
          {t(comparing ? 'report.compared' : 'report.evidence')}
          {change.length > 0 && !comparing && <Tag tone="violet">{t('report.contentChanged')}</Tag>}
          {snapshot.truncated && <Tag tone="amber">{t('report.truncated')}</Tag>}
        </span>
      }
      aside={
        change.length > 0 ? (
          <Button size="compact-sm" variant="default" leftSection={<Icon name="history" size={14} />} onClick={() => setCompared(!comparing)}>
            {t(comparing ? 'report.showSnapshot' : 'report.compare')}
          </Button>
        ) : undefined
      }
    >
      <Spared reason={report.reason} className={classes.fields}>
        {snapshot.fields.map((field) => {
          const changed = comparing ? change.find((candidate) => candidate.name === field.name) : undefined;
          return changed === undefined ? (
            <SnapshotFieldViewer key={field.name} type={snapshot.target.type} field={named(field)} />
          ) : (
            <Suspense key={field.name} fallback={<SnapshotFieldViewer type={snapshot.target.type} field={named(field)} />}>
              <FieldDifference type={snapshot.target.type} field={field} before={changed.before} after={changed.after} />
            </Suspense>
          );
        })}
        {snapshot.fields.length === 0 && <p className={classes.erased}>{t('report.noFields')}</p>}
      </Spared>
      {report.translatable && <Translation key={report.id} report={report} />}
      <LinkList links={report.links} />
      <Provenance snapshot={snapshot} kind={report.target.label} />
    </Panel>
  );
}

function Provenance({ snapshot, kind }: { snapshot: Snapshot; kind: string }) {
  const { t, date, label, locale: reader } = useI18n();
  const navigate = useNavigate();
  useCommands(snapshot.authors.map(({ id, name }) => ({ id: `author-${id}`, title: `${t('author.page')}: ${name}`, run: () => void navigate(authorPath({ pluginId: snapshot.target.pluginId, id })) })));
  const { locale, source } = snapshot;
  return (
    <dl className={classes.provenance}>
      <div>
        <dt>{t('report.authors', { count: snapshot.authors.length })}</dt>
        <dd>{snapshot.authors.length === 0 ? t('state.unknown') : snapshot.authors.map((author) => <AuthorName key={author.id} pluginId={snapshot.target.pluginId} author={author} />)}</dd>
      </div>
      <div>
        <dt>{t('report.capturedAt')}</dt>
        <dd>{date(snapshot.capturedAt)}</dd>
      </div>
      {source.publishedAt !== null && (
        <div>
          <dt>{t('report.publishedAt')}</dt>
          <dd>{date(source.publishedAt)}</dd>
        </div>
      )}
      {source.version !== null && (
        <div>
          <dt>{t('report.sourceVersion')}</dt>
          <dd>{source.version}</dd>
        </div>
      )}
      <div>
        <dt>{t('report.locale')}</dt>
        <dd>
          {locale.fallback
            ? t('report.localeFallback', { requested: formatLanguage(locale.requested, reader.id), served: formatLanguage(locale.served, reader.id) })
            : formatLanguage(locale.served, reader.id)}
        </dd>
      </div>
      <div>
        <dt>{t('report.targetId')}</dt>
        <dd title={snapshot.target.type}>
          {label(kind)} <code className={classes.id}>{snapshot.target.id}</code>
        </dd>
      </div>
    </dl>
  );
}

/** An author, with what stands against them and what was decided before. */
function AuthorName({ pluginId, author }: { pluginId: string; author: Person }) {
  return (
    <div>
      <AuthorLink pluginId={pluginId} author={author} /> <AuthorStanding pluginId={pluginId} id={author.id} />{' '}
      <AuthorRecord pluginId={pluginId} author={author} />
    </div>
  );
}
