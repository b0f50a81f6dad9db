import type { Person } from '../api/types';
import { useI18n } from '../i18n/I18n';

/** Who can release a decision. */
export function Releasers({ people }: { people: readonly Pick<Person, 'name'>[] }) {
  const { t, locale } = useI18n();
  return <>{people.length === 0 ? t('held.noReleasers') : t('held.releasers', { names: new Intl.ListFormat(locale.id).format(people.map(({ name }) => name)) })}</>;
}
