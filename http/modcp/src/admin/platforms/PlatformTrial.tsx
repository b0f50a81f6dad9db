import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { tryPlatform, type PlatformAnswer, type PlatformDetail } from '../../api/platforms';
import { useI18n } from '../../i18n/I18n';
import { Form } from '../../ui/Form';
import { Panel } from '../../ui/Panel';
import { Tag } from '../../ui/Tag';
import { useErrorText } from '../../ui/useErrorText';
import classes from './Platforms.module.css';

/** Asks the platform about a piece of content, and shows each answer with its faults. Nothing is stored. */
export function PlatformTrial({ platform }: { platform: PlatformDetail }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const [type, setType] = useState(platform.types[0] ?? '');
  const [target, setTarget] = useState('1');
  const run = useMutation({ mutationFn: () => tryPlatform(platform.id, type, target) });
  if (platform.types.length === 0) return null;
  return (
    <Panel id="try" title={t('platforms.try')}>
      <Form className={classes.form} label={t('platforms.try')} submit={() => run.mutate()} fault={run.isError ? errorText(run.error) : null}>
        <div className={classes.asked}>
          <Select label={t('platforms.type')} data={platform.types} value={type} onChange={(value) => setType(value ?? type)} />
          <TextInput label={t('platforms.targetId')} dir="ltr" required value={target} onChange={(event) => setTarget(event.currentTarget.value)} />
          <Button type="submit" loading={run.isPending}>
            {t('platforms.ask')}
          </Button>
        </div>
      </Form>
      {run.data !== undefined && (
        <ul className={classes.answers} aria-label={t('platforms.answers')}>
          {run.data.answers.map((answer) => (
            <Answer key={answer.path} answer={answer} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Answer({ answer }: { answer: PlatformAnswer }) {
  const { t } = useI18n();
  return (
    <li>
      <code>{answer.path}</code>{' '}
      <Tag tone={answer.faults.length === 0 ? 'green' : 'red'}>{answer.status ?? t('platforms.noAnswer')}</Tag>
      {answer.faults.length > 0 && (
        <ul dir="ltr">
          {answer.faults.map((fault, index) => (
            <li key={index}>{fault}</li>
          ))}
        </ul>
      )}
      {answer.body !== '' && (
        <pre dir="ltr">{indented(answer.body)}</pre>
      )}
    </li>
  );
}

/** JSON with its lines; anything else as it came. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
