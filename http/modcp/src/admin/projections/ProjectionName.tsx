import { en } from '../../i18n/en';
import { useI18n } from '../../i18n/I18n';
import type { MessageKey } from '../../i18n/messages';
import { Named } from '../shared/Named';

/** A projection's readable name, with the one that the command line takes. */
export function ProjectionName({ name }: { name: string }) {
  const text = useProjectionText();
  return (
    <div>
      <Named text={text(name)} name={name} />
    </div>
  );
}

export function useProjectionText(): (name: string) => string {
  const { t } = useI18n();
  return (name) => (`projection.${name}` in en ? t(`projection.${name}` as MessageKey) : name);
}
