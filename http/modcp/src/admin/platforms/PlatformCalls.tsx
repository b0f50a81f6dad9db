import { Link } from 'react-router';
import type { PlatformDetail } from '../../api/platforms';
import { useI18n } from '../../i18n/I18n';
import { DataTable } from '../../ui/DataTable';
import { Panel } from '../../ui/Panel';
import { When } from '../../ui/When';
import shared from '../shared/Admin.module.css';
import classes from './Platforms.module.css';
import { PlatformState } from './PlatformState';

/** How a platform does: whether it is served, what it answered last, and where its reports are. */
export function PlatformCalls({ platform }: { platform: PlatformDetail }) {
  const { t } = useI18n();
  return (
    <Panel id="calls" title={t('platforms.calls')}>
      <dl className={classes.facts}>
        <div>
          <dt>{t('platforms.state')}</dt>
          <dd>
            <PlatformState platform={platform} />
          </dd>
        </div>
        <div>
          <dt>{t('platforms.lastGood')}</dt>
          <dd>{platform.lastGood === null ? t('admin.never') : <When iso={platform.lastGood} />}</dd>
        </div>
        <div>
          <dt>{t('platforms.lastFault')}</dt>
          <dd>
            {platform.lastFault === null ? (
              t('admin.never')
            ) : (
              <>
                <When iso={platform.lastFault.at} />: <span dir="ltr">{platform.lastFault.message}</span>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{t('platforms.events')}</dt>
          <dd>
            {platform.types.map((type) => (
              <div key={type}>
                <Link to={`/modcp/reports?status=all&type=${encodeURIComponent(type)}`}>{t('platforms.reportsOf', { type })}</Link>
              </div>
            ))}
            <Link to="/admin/core/webhooks">{t('admin.webhooks')}</Link>
          </dd>
        </div>
      </dl>
      {platform.faults.length > 0 && (
        <ul className={classes.answers}>
          {platform.faults.map((fault, index) => (
            <li key={index} className={shared.bad} dir="ltr">
              {fault.line > 0 && `${fault.line}: `}
              {fault.path} {fault.message}
            </li>
          ))}
        </ul>
      )}
      {platform.calls.length > 0 && (
        <DataTable
          label={t('platforms.calls')}
          rows={platform.calls}
          rowKey={(call) => `${call.at} ${call.path}`}
          columns={[
            { key: 'path', title: t('platforms.question'), cell: (call) => <code className={shared.id}>{call.path}</code> },
            { key: 'status', title: t('platforms.answer'), cell: (call) => call.status ?? t('platforms.noAnswer') },
            { key: 'took', title: t('platforms.took'), end: true, minor: true, cell: (call) => t('platforms.milliseconds', { count: call.milliseconds }) },
            { key: 'at', title: t('platforms.at'), end: true, cell: (call) => <When iso={call.at} /> },
            { key: 'fault', title: t('platforms.fault'), minor: true, cell: (call) => (call.fault === null ? null : <span className={shared.bad} dir="ltr">{call.fault}</span>) },
          ]}
        />
      )}
    </Panel>
  );
}
