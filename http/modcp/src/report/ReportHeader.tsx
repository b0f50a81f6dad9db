import { ActionIcon, Tooltip } from '@mantine/core';
import { Link, type To } from 'react-router';
import type { Person, Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useScopeLabel } from '../board/useTargetTypes';
import { Icon } from '../ui/Icon';
import { ResolutionTag, StatusTag } from '../ui/Tag';
import classes from './ReportHeader.module.css';
import { Viewers } from './Viewers';
import type { Walk } from './useWalk';

export function ReportHeader({ report, walk, board, viewers }: { report: Report; walk: Walk; board: To; viewers: Person[] }) {
  const { t, label } = useI18n();
  const scopeLabel = useScopeLabel();
  const title = report.snapshot?.title;
  const scope = scopeLabel(report.target.scope);
  return (
    <header className={classes.header}>
      <div className={classes.trail}>
        <Link to={board} className={classes.back}>
          <Icon name="chevronLeft" size={15} />
          {t('nav.reports')}
        </Link>
        <Viewers people={viewers} />
        <div className={classes.walk}>
          <Tooltip label={`${t('key.previous')} (k)`}>
            <ActionIcon variant="default" aria-label={t('key.previous')} disabled={!walk.canPrevious} onClick={() => void walk.go(-1)}>
              <Icon name="chevronLeft" />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={`${t('key.next')} (j)`}>
            <ActionIcon variant="default" aria-label={t('key.next')} disabled={!walk.canNext} onClick={() => void walk.go(1)}>
              <Icon name="chevronRight" />
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
      <div className={classes.line}>
        <h1 className={classes.title}>
          <bdi>{title === undefined || title === '' ? t('board.untitled') : title}</bdi>
        </h1>
        <span className={classes.tags}>
          <StatusTag status={report.status} />
          {report.resolution !== null && <ResolutionTag resolution={report.resolution} />}
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
        {report.openReportsOnTarget > 1 && (
          <>
            {' · '}
            <strong>{t('report.openOnContent', { count: report.openReportsOnTarget })}</strong>
          </>
        )}
      </p>
    </header>
  );
}
