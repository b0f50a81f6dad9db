import { useLocation, useNavigate } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { writeSetting } from '../storage/settings';
import { Segments } from '../ui/Segments';

/** Switches the board between reports and the content that they are about; both keep the filters. */
export function ViewSwitch({ view }: { view: 'reports' | 'cases' }) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const { search } = useLocation();
  return (
    <Segments
      aria-label={t('cases.view')}
      value={view}
      onChange={(next) => {
        writeSetting('board', next);
        const params = new URLSearchParams(search);
        params.delete('after');
        params.delete('before');
        void navigate({ pathname: `/modcp/${next}`, search: params.toString() });
      }}
      data={[
        { value: 'reports', label: t('cases.byReport') },
        { value: 'cases', label: t('cases.byContent') },
      ]}
    />
  );
}
