import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useAdminArea } from '../admin/shared/useAdminArea';
import { listHolds } from '../api/holds';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import classes from './HoldLine.module.css';

/** The legal hold that the report is under, for who may see holds. */
export function HoldLine({ reportId }: { reportId: string }) {
  return useUser()?.isAdmin === true ? <Line reportId={reportId} /> : null;
}

function Line({ reportId }: { reportId: string }) {
  const { t, date } = useI18n();
  const sees = useAdminArea('audit:can_hold');
  const { data } = useQuery({ queryKey: keys.holdsOn(reportId), queryFn: ({ signal }) => listHolds({ status: 'standing', reportId, first: 100 }, signal), enabled: sees });
  const last = data?.edges.toSorted((one, other) => other.until.localeCompare(one.until))[0];
  if (last === undefined) return null;
  return (
    <p className={classes.line}>
      {t('holds.onReport', { time: date(last.until) })} <bdi>{last.reference}</bdi>. <Link to="/admin/core/holds?status=standing">{t('admin.holds')}</Link>
    </p>
  );
}
