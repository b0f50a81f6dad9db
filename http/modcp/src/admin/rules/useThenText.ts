import type { Then } from '../../api/rules';
import { useI18n } from '../../i18n/I18n';

/** Says in words what a rule does. */
export function useThenText() {
  const { t, locale } = useI18n();
  const signed = new Intl.NumberFormat(locale.id, { signDisplay: 'exceptZero' });
  const list = new Intl.ListFormat(locale.id, { type: 'conjunction' });
  return ({ points = 0, due = '', tags = [], hide = false }: Then) =>
    list.format([
      ...(points === 0 ? [] : [t('auto.does.points', { points: signed.format(points), count: Math.abs(points) })]),
      ...(due === '' ? [] : [t('auto.does.due', { due })]),
      ...(tags.length === 0 ? [] : [t('auto.does.tags', { count: tags.length, tags: tags.join(', ') })]),
      ...(hide ? [t('auto.does.hide')] : []),
    ]);
}
