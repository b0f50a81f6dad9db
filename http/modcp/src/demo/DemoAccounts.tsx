import { useI18n } from '../i18n/I18n';
import type { MessageKey } from '../i18n/messages';
import { Icon } from '../ui/Icon';
import classes from './DemoAccounts.module.css';
import { useIsDemo } from './isDemo';

export const demoAccounts = [
  { role: 'moderator', email: 'moderator@demo.test' },
  { role: 'scoped', email: 'scoped@demo.test' },
  { role: 'viewer', email: 'viewer@demo.test' },
  { role: 'admin', email: 'admin@demo.test' },
  { role: 'member', email: 'member1@demo.test' },
] as const;

/** One-click sign-in with the demo's accounts; renders nothing outside a demo. */
export function DemoAccounts({ choose, disabled = false }: { choose: (email: string) => void; disabled?: boolean }) {
  const { t } = useI18n();
  if (!useIsDemo()) return null;
  return (
    <section className={classes.demo} aria-labelledby="demo-accounts">
      <h2 id="demo-accounts" className={classes.title}>
        {t('session.demo')}
      </h2>
      <p className={classes.hint}>{t('session.demoHint')}</p>
      <ul className={classes.list}>
        {demoAccounts.map(({ role, email }) => (
          <li key={email}>
            <button type="button" className={classes.account} disabled={disabled} onClick={() => choose(email)}>
              <span className={classes.role}>{t(`session.demo.${role}` as MessageKey)}</span>
              <span className={classes.what}>{t(`session.demo.${role}Hint` as MessageKey)}</span>
              <Icon name="chevronRight" size={16} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
