import { useState } from 'react';
import { useI18n } from '../i18n/I18n';
import { usePermission } from '../session/usePermission';
import { PageHead } from '../ui/Panel';
import { useTitle } from '../ui/useTitle';
import { SecondList } from './SecondList';
import { Turn } from './Turn';

/** Second opinions: one's own turn, and what came of all for who may see that. */
export function Seconds() {
  const { t } = useI18n();
  const gives = usePermission('can_manage_reports');
  const sees = usePermission('can_view_quality');
  const [inTurn, setInTurn] = useState(false);
  useTitle(t('seconds.title'));
  return (
    <div className="page">
      <PageHead title={t('seconds.title')} hint={inTurn ? t('seconds.hint') : undefined} />
      {gives && <Turn tell={setInTurn} />}
      {sees && !inTurn && <SecondList />}
    </div>
  );
}
