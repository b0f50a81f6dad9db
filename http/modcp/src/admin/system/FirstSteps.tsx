import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { systemQuery } from '../../api/system';
import { useI18n } from '../../i18n/I18n';
import { readSetting, writeSetting } from '../../storage/settings';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import classes from './FirstSteps.module.css';

/** The checks of the system screen that a new server fails, and where each is set right. */
const steps = [
  ['platforms', 'platforms'],
  ['jobs', 'advanced/cron'],
  ['mail', 'system'],
  ['backup', 'system'],
  ['administrators', 'staff/admins'],
  ['reports', 'system'],
] as const;

/** What is left to do on a new server, for administrators; nothing once all is done or it was put away in this browser. */
export function FirstSteps() {
  const { t } = useI18n();
  const [away, setAway] = useState(readSetting('firstSteps') === 'away');
  const system = useQuery({ ...systemQuery, enabled: !away, retry: false });
  if (away || system.data === undefined) return null;
  const { checks } = system.data;
  const done = (name: string) => checks.filter((check) => check.name === name).every((check) => check.level === 'ok');
  if (steps.every(([name]) => done(name))) return null;
  return (
    <Panel
      id="first-steps"
      title={t('firstSteps.title')}
      aside={
        <Button
          size="compact-md"
          variant="subtle"
          onClick={() => {
            writeSetting('firstSteps', 'away');
            setAway(true);
          }}
        >
          {t('firstSteps.away')}
        </Button>
      }
    >
      <ul className={classes.list}>
        {steps.map(([name, path]) => (
          <li key={name} className={classes.step} data-done={done(name) || undefined}>
            <span className={classes.mark}>{done(name) && <Icon name="check" size={14} />}</span>
            {done(name) ? (
              <span>
                {t(`firstSteps.${name}`)} <span className="visually-hidden">({t('firstSteps.done')})</span>
              </span>
            ) : (
              <Link to={`/admin/core/${path}`}>{t(`firstSteps.${name}`)}</Link>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
