import { ActionIcon } from '@mantine/core';
import { Link, type To } from 'react-router';
import type { Person, Reason, Report } from '../api/types';
import { NextCaseButton } from '../cases/NextCaseButton';
import { useI18n } from '../i18n/I18n';
import { defaultFilters, writeFilters } from '../board/filters';
import { TagLinks } from '../board/TagLinks';
import { useScopeLabel } from '../board/useTargetTypes';
import { Icon } from '../ui/Icon';
import { ReasonTag, ResolutionTag, StatusTag } from '../ui/Tag';
import classes from './ReportHeader.module.css';
import { Viewers } from './Viewers';
import type { Walk } from './useWalk';
import type { TogetherReports } from './together';

interface Props {
  report: Report;
  together: TogetherReports | null;
  walk: Walk;
  list: To;
  viewers: Person[];
}

/** The title, why it was reported, and the ways to other work. */
export function ReportHeader({ report, together, walk, list, viewers }: Props) {
  const { t, label } = useI18n();
  const scopeLabel = useScopeLabel();
  const title = report.snapshot?.title;
  const scope = scopeLabel(report.target.scope);
  return (
    <header className={classes.header}>
      <div className={classes.trail}>
        <Link to={list} className={classes.back}>
          <Icon name="chevronLeft" size={15} />
          {t(together === null ? 'nav.reports' : 'cases.title')}
        </Link>
        <Viewers people={viewers} />
        <div className={classes.walk}>
          <ActionIcon variant="default" aria-label={t('key.previousInList')} title={`${t('key.previousInList')} (k)`} disabled={!walk.canPrevious} onClick={() => void walk.go(-1)}>
            <Icon name="chevronLeft" />
          </ActionIcon>
          <ActionIcon variant="default" aria-label={t('key.nextInList')} title={`${t('key.nextInList')} (j)`} disabled={!walk.canNext} onClick={() => void walk.go(1)}>
            <Icon name="chevronRight" />
          </ActionIcon>
        </div>
        {together !== null && <NextCaseButton />}
      </div>
      <div className={classes.line}>
        <h1 className={classes.title}>
          <bdi>{title === undefined || title === '' ? t('board.untitled') : title}</bdi>
        </h1>
        <span className={classes.tags}>
          {together === null && <StatusTag status={report.status} />}
          {reasonsOf(report, together).map((reason) => (
            <ReasonTag key={reason} reason={reason} />
          ))}
          {report.resolution !== null && <ResolutionTag resolution={report.resolution} />}
          <TagLinks
            tags={tagsOf(report, together)}
            to={(tag) => ({ pathname: together === null ? '/modcp/reports' : '/modcp/cases', search: writeFilters({ ...defaultFilters, status: 'all', tag }).toString() })}
          />
        </span>
      </div>
      <p className={classes.meta}>
        {label(report.target.label)}
        {scope !== '' && (
          <>
            {' · '}
            <bdi>{scope}</bdi>
          </>
        )}
        {(together?.total ?? report.openReportsOnTarget) > 1 && (
          <>
            {' · '}
            <strong>{t('report.openOnContent', { count: together?.total ?? report.openReportsOnTarget })}</strong>
          </>
        )}
      </p>
    </header>
  );
}

/** What live rules call it, each tag once. */
const tagsOf = (report: Report, together: TogetherReports | null): string[] => [...new Set((together?.rows ?? [report]).flatMap(({ tags = [] }) => tags))];

/** Why it was reported, each reason once. */
const reasonsOf = (report: Report, together: TogetherReports | null): Reason[] => [...new Set((together?.rows ?? [report]).map(({ reason }) => reason))];
