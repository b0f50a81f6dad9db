import { CloseButton } from '@mantine/core';
import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { When } from '../ui/When';
import classes from './ChangeNotice.module.css';
import { useEntryText } from './timeline/useEntryText';
import type { Notice } from './useReport';

/** What a colleague changed on the open report, and whether it made a command fail. */
export function ChangeNotice({ notice, report, close }: { notice: Notice; report: Report; close: () => void }) {
  const { t } = useI18n();
  const entryText = useEntryText(report);
  return (
    <div className={classes.notice} role="alert" data-kind={notice.kind}>
      <Icon name={notice.kind === 'conflict' ? 'warning' : 'info'} />
      <div className={classes.body}>
        <strong>{notice.text ?? t('report.changedMeanwhile')}</strong>
        {notice.entries.length > 0 && (
          <ul className={classes.list}>
            {notice.entries.map((entry) => (
              <li key={entry.id}>
                {entryText(entry)} · <When iso={entry.occurredAt} />
              </li>
            ))}
          </ul>
        )}
        {notice.kind === 'conflict' && <p className={classes.hint}>{t('report.conflictHint')}</p>}
      </div>
      <CloseButton aria-label={t('action.close')} onClick={close} />
    </div>
  );
}
