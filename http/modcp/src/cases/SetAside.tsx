import { Button, Group, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listCases, parkCase, passCase, passReasons } from '../api/cases';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import type { TargetRef } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useCommands } from '../keyboard/CommandProvider';
import { bind, shortcuts } from '../keyboard/shortcuts';
import { useKeyHold, useShortcuts } from '../keyboard/ShortcutProvider';
import { usePermission } from '../session/usePermission';
import { Choices } from '../ui/Choices';
import { Form } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import classes from './SetAside.module.css';
import { inLocalTime, parkTimes } from './parkTimes';

interface Props {
  target: TargetRef;
  /** What is opened once the case is set aside. */
  leave: () => Promise<void>;
}

/** Passes a case on to others, or leaves it until a time; says where somebody has done so. */
export function SetAside({ target, leave }: Props) {
  const { t, date } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const manages = usePermission('can_manage_reports');
  const [asked, setAsked] = useState<'skip' | 'park' | null>(null);
  // What is pressed meanwhile is for what comes next.
  const [sending, setSending] = useState(false);
  useKeyHold(sending);
  const { pluginId, type, id } = target;
  const known = useQuery({
    queryKey: keys.case(pluginId, type, id),
    queryFn: ({ signal }) => listCases({ pluginId, targetType: type, targetId: id, first: 1 }, signal),
    enabled: manages,
  });
  const parked = known.data?.edges[0]?.parked ?? null;
  const ask = (what: 'skip' | 'park') => () => {
    if (manages) setAsked(what);
  };
  useShortcuts(bind('aside', { skip: ask('skip'), park: ask('park') }));
  useCommands(manages ? (['skip', 'park'] as const).map((what) => ({ id: what, title: t(`key.${what}`), hint: shortcuts.aside[what].key, run: ask(what) })) : []);

  const send = async (what: () => Promise<unknown>, told: string, then?: () => Promise<void>) => {
    setAsked(null);
    setSending(true);
    try {
      await what();
      toasts.show({ text: told });
      // What is given back shows in the lists and in the report.
      for (const queryKey of [keys.reports, keys.cases, keys.openReports]) void client.invalidateQueries({ queryKey });
      await then?.();
    } catch (error) {
      toasts.show({ text: errorText(asApiError(error)), tone: 'error' });
    } finally {
      setSending(false);
    }
  };
  const park = (until: Date) => void send(() => parkCase(target, until.toISOString()), t('aside.parked', { time: date(until.toISOString()) }), leave);

  if (!manages) return null;
  return (
    <div className={classes.aside}>
      {parked !== null && (
        <p className={classes.parked} role="status">
          <Icon name="clock" size={15} />
          <span>{t('aside.parkedBy', { name: parked.by?.name ?? t('state.deletedAccount'), time: date(parked.until) })}</span>
          <Button size="compact-xs" variant="subtle" onClick={() => void send(() => parkCase(target, null), t('aside.unparked'))}>
            {t('aside.unpark')}
          </Button>
        </p>
      )}
      <Group gap="xs">
        <Button size="compact-sm" variant="subtle" leftSection={<Icon name="undo" size={14} />} onClick={ask('skip')} aria-keyshortcuts={shortcuts.aside.skip.key}>
          {t('key.skip')}
        </Button>
        <Button size="compact-sm" variant="subtle" leftSection={<Icon name="clock" size={14} />} onClick={ask('park')} aria-keyshortcuts={shortcuts.aside.park.key}>
          {t('key.park')}
        </Button>
      </Group>
      {asked === 'skip' && (
        <Choices
          title={t('key.skip')}
          hint={t('aside.skipHint')}
          close={() => setAsked(null)}
          choices={passReasons.map((reason) => ({ text: t(`aside.reason.${reason}`), run: () => void send(() => passCase(target, reason), t('aside.skipped'), leave) }))}
        />
      )}
      {asked === 'park' && (
        <Choices title={t('key.park')} hint={t('aside.parkHint')} close={() => setAsked(null)} choices={parkTimes(new Date()).map(({ name, at }) => ({ text: t(`aside.until.${name}`), aside: date(at.toISOString()), run: () => park(at) }))}>
          <ParkUntil park={park} />
        </Choices>
      )}
    </div>
  );
}

function ParkUntil({ park }: { park: (until: Date) => void }) {
  const { t } = useI18n();
  const [until, setUntil] = useState('');
  const [now] = useState(() => new Date());
  const at = new Date(until);
  const fits = at > now && at <= parkTimes(now).at(-1)!.at;
  return (
    <Form className={classes.until} submit={() => park(at)}>
      <TextInput type="datetime-local" label={t('aside.until')} min={inLocalTime(now)} max={inLocalTime(parkTimes(now).at(-1)!.at)} value={until} onChange={(event) => setUntil(event.currentTarget.value)} />
      <Button type="submit" disabled={!fits}>
        {t('key.park')}
      </Button>
    </Form>
  );
}
