import type { Platform } from '../../api/platforms';
import { useI18n } from '../../i18n/I18n';
import { Tag } from '../../ui/Tag';

const tones = { serving: 'green', faulty: 'red', off: 'neutral' } as const;

/** Whether a platform is served, and whether it answers. */
export function PlatformState({ platform }: { platform: Pick<Platform, 'state' | 'breaker'> }) {
  const { t } = useI18n();
  return (
    <>
      <Tag tone={tones[platform.state]} dot>
        {t(`platforms.state.${platform.state}`)}
      </Tag>{' '}
      {platform.breaker === 'open' && <Tag tone="amber">{t('platforms.heldBack')}</Tag>}
    </>
  );
}
