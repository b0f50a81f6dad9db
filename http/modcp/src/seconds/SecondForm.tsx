import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PolicyRef } from '../api/policies';
import { informsAuthor } from '../api/reports';
import type { SecondTask } from '../api/seconds';
import type { Resolution } from '../api/types';
import { OutcomeChoice } from '../decision/OutcomeChoice';
import { PolicySelect } from '../decision/PolicySelect';
import { usePolicies } from '../decision/usePolicies';
import { Verdicts } from '../decision/Verdicts';
import { plainVerdicts, type Verdict } from '../decision/verdictsOf';
import { useI18n } from '../i18n/I18n';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { Form } from '../ui/Form';
import classes from './Seconds.module.css';

export interface Opinion {
  resolution: Resolution;
  policy: PolicyRef | null;
}

interface Props {
  task: SecondTask;
  sending: boolean;
  send: (opinion: Opinion) => void;
  leaving: boolean;
  leave: () => void;
}

/** What the reader would decide. The keys of a report's verdicts choose here, and Enter sends, since it is final. */
export function SecondForm({ task, sending, send, leaving, leave }: Props) {
  const { t, date } = useI18n();
  const policies = usePolicies();
  const [resolution, setResolution] = useState<Resolution | null>(null);
  const [key, setKey] = useState(task.allegedPolicy?.key ?? null);
  const submit = useRef<HTMLButtonElement>(null);
  const byRule = resolution !== null && informsAuthor({ resolution });
  const policy = byRule ? (policies?.find((one) => one.key === key) ?? null) : null;
  const verdicts = plainVerdicts(policies ?? []);
  const choose = ({ decision }: Verdict) => {
    // Enter goes to the button, which takes the focus once something is chosen.
    flushSync(() => {
      setResolution(decision.resolution);
      setKey(decision.policy?.key ?? null);
    });
    submit.current?.focus();
  };
  const chooseBy = (digit: number) => {
    const verdict = verdicts.find((one) => one.digit === digit);
    if (verdict !== undefined) choose(verdict);
  };
  useShortcuts(bind('verdict', { noViolation: chooseBy, rule: chooseBy, fillIn: chooseBy }), policies !== undefined);
  const chosen = verdicts.find(({ decision }) => decision.resolution === resolution && (decision.policy?.key ?? null) === (policy?.key ?? null));
  return (
    <Form
      className={classes.form}
      label={t('seconds.decide')}
      submit={() => {
        if (resolution !== null && !sending) send({ resolution, policy: policy === null ? null : { key: policy.key, version: policy.version } });
      }}
    >
      <Verdicts verdicts={verdicts} disabled={sending} chosen={chosen?.digit ?? null} give={choose} />
      <OutcomeChoice value={resolution} onChange={setResolution} />
      {byRule && policies !== undefined && policies.length > 0 && <PolicySelect policies={policies} chosen={policy} onChange={setKey} />}
      <p className={classes.muted}>{t('seconds.until', { time: date(task.expiresAt) })}</p>
      <div className={classes.foot}>
        <Button variant="default" loading={leaving} onClick={leave}>
          {t('seconds.leave')}
        </Button>
        <Button ref={submit} type="submit" loading={sending} disabled={resolution === null}>
          {t('seconds.give')}
        </Button>
      </div>
    </Form>
  );
}
