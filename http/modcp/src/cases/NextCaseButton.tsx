import { Button } from '@mantine/core';
import { useState } from 'react';
import { useI18n } from '../i18n/I18n';
import { usePermission } from '../session/usePermission';
import { Icon } from '../ui/Icon';
import { useNextCase } from './useNextCase';

/** Takes the case that should be worked next; nothing for those who only look. */
export function NextCaseButton() {
  const { t } = useI18n();
  const next = useNextCase();
  const [asking, setAsking] = useState(false);
  const manages = usePermission('can_manage_reports');
  if (!manages) return null;
  return (
    <Button
      loading={asking}
      leftSection={<Icon name="play" size={16} />}
      onClick={() => {
        setAsking(true);
        void next().finally(() => setAsking(false));
      }}
    >
      {t('cases.next')}
    </Button>
  );
}
