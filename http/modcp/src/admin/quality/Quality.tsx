import { Button, NumberInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/queryKeys';
import { readQuality, setQuality, type Quality as Settings } from '../../api/seconds';
import { useI18n } from '../../i18n/I18n';
import { DataTable } from '../../ui/DataTable';
import { Form } from '../../ui/Form';
import { goldenLimit } from '../../ui/limits';
import { PageHead, Panel } from '../../ui/Panel';
import { Failure, Loading } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import classes from '../shared/Admin.module.css';

/** How much is decided again by somebody who does not know the decision, and how much ever was. */
export function Quality() {
  const { t, number } = useI18n();
  const settings = useQuery({ queryKey: keys.quality, queryFn: ({ signal }) => readQuality(signal) });
  useTitle(t('seconds.title'));
  return (
    <>
      <PageHead title={t('seconds.title')} hint={t('seconds.settingHint')} />
      {settings.isPending ? (
        <Loading rows={4} height={28} />
      ) : settings.data === undefined ? (
        <Failure error={settings.error} retry={() => void settings.refetch()} collection />
      ) : (
        <>
          <QualityForm stored={settings.data} />
          {settings.data.history.length > 0 && (
            <>
              <h2 className={classes.heading}>{t('seconds.history')}</h2>
              <DataTable
                label={t('seconds.history')}
                rows={settings.data.history.toReversed()}
                rowKey={(one) => one.since}
                columns={[
                  { key: 'since', title: t('seconds.since'), cell: (one) => <When iso={one.since} /> },
                  { key: 'percent', title: t('seconds.percentShort'), end: true, cell: (one) => number(one.percent) },
                  { key: 'golden', title: t('seconds.goldenShort'), end: true, cell: (one) => number(one.golden) },
                ]}
              />
            </>
          )}
        </>
      )}
    </>
  );
}

function QualityForm({ stored }: { stored: Settings }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [draft, setDraft] = useState<{ percent: number | ''; golden: number | '' } | null>(null);
  const { percent, golden } = draft ?? stored;
  const save = useMutation({
    mutationFn: setQuality,
    onSuccess: (answer) => {
      client.setQueryData(keys.quality, answer);
      setDraft(null);
      toasts.show({ text: t('seconds.saved') });
      // The menu has second opinions once some are drawn.
      void client.invalidateQueries({ queryKey: keys.session });
    },
  });
  const whole = (value: number | '', max: number): value is number => value !== '' && Number.isInteger(value) && value >= 0 && value <= max;
  const valid = whole(percent, 100) && whole(golden, goldenLimit);
  return (
    <Panel id="quality" title={t('seconds.setting')}>
      <Form
        className={classes.form}
        label={t('seconds.setting')}
        fault={save.isError ? errorText(save.error) : null}
        submit={() => {
          if (valid && !save.isPending) save.mutate({ percent, golden });
        }}
      >
        <NumberInput maw={420} label={t('seconds.percent')} description={t('seconds.percentHint')} min={0} max={100} allowDecimal={false} value={percent} onChange={(value) => setDraft({ percent: value === '' ? '' : Number(value), golden })} />
        <NumberInput maw={420} label={t('seconds.goldenSetting')} description={t('seconds.goldenHint')} min={0} max={goldenLimit} allowDecimal={false} value={golden} onChange={(value) => setDraft({ percent, golden: value === '' ? '' : Number(value) })} />
        <div className={classes.foot}>
          <Button type="submit" loading={save.isPending} disabled={draft === null || !valid}>
            {t('seconds.save')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
