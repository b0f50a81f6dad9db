import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Proposal } from '../api/measures';
import { measureKinds, type MeasureKind, type Report } from '../api/types';
import { usePolicies } from '../decision/usePolicies';
import type { DecisionDraft } from '../decision/useContentAction';
import { useI18n } from '../i18n/I18n';
import { Callout } from '../ui/Callout';
import { Icon } from '../ui/Icon';
import { Loading } from '../ui/States';
import { useErrorText } from '../ui/useErrorText';
import { LineEditor } from './LineEditor';
import { faultOf, proposalKey, type MeasureLine, type ShownLine } from './measureDraft';
import classes from './MeasureFields.module.css';
import { NameOfAuthor } from './NameOfAuthor';
import type { MeasureChoice } from './useMeasureChoice';
import { useMeasureText } from './useMeasureText';

interface Props {
  reports: readonly Pick<Report, 'measures'>[];
  draft: DecisionDraft;
  onChange: (draft: DecisionDraft) => void;
  choice: MeasureChoice;
}

/** What the decision imposes on the authors: what the ladder proposes, ticked, and what is given beside it. */
export function MeasureFields({ reports, draft, onChange, choice }: Props) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const policies = usePolicies();
  const { authors, lines, others, asking, error } = choice;
  const [first] = authors;
  if (!choice.offered) return null;
  const kindsOn = (authorId: string): readonly MeasureKind[] => authors.find(({ author }) => author.id === authorId)?.kinds ?? measureKinds;
  const policy = draft.policy?.key ?? '';
  const rule = policies?.find(({ key }) => key === policy);
  const given = draft.given ?? [];
  const setGiven = (next: MeasureLine[]) => onChange({ ...draft, given: next });
  const setInstead = (authorId: string, line: MeasureLine | null | undefined) => {
    const instead = Object.fromEntries(Object.entries(draft.instead ?? {}).filter(([key]) => key !== proposalKey(policy, authorId)));
    onChange({ ...draft, instead: line === undefined ? instead : { ...instead, [proposalKey(policy, authorId)]: line } });
  };
  const add = ({ author, kinds }: Proposal) => {
    const taken = lines.flatMap((line) => (line.authorId === author.id && line.ticked ? [line.kind] : []));
    setGiven([...given, { authorId: author.id, kind: kinds.find((kind) => !taken.includes(kind)) ?? kinds[0]!, days: 7 }]);
  };
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{t('measure.onAuthors', { count: Math.max(1, authors.length) })}</legend>
      {rule !== undefined && rule.strikes > 0 && <p className={classes.hint}>{t('measure.ruleStrikes', { strikes: rule.strikes, days: rule.strikeDays })}</p>}
      {reports.some(({ measures }) => measures?.some(({ endedAt }) => endedAt === null)) && <p className={classes.hint}>{t('measure.endWithDecision')}</p>}
      {asking && error === null && <Loading rows={1} />}
      {error !== null && (
        <Callout tone="amber">
          {t('measure.noProposal', { why: errorText(error) })}{' '}
          <Button size="compact-xs" variant="default" onClick={choice.again}>
            {t('action.retry')}
          </Button>
        </Callout>
      )}
      {lines.map((line, index) => {
        const { proposal } = line;
        if (proposal === null) {
          const at = index - (lines.length - given.length);
          return (
            <LineEditor
              key={`given ${at}`}
              line={line}
              fault={faultOf(line, lines, Date.now())}
              authors={authors.map(({ author }) => author)}
              kinds={kindsOn(line.authorId)}
              onChange={(next) => setGiven(given.map((one, i) => (i === at ? next : one)))}
              remove={() => setGiven(given.filter((_, i) => i !== at))}
            />
          );
        }
        return <Proposed key={proposal.author.id} line={line} proposal={proposal} decisions={choice.decisionsOn(proposal.author.id)} lines={lines} change={(next) => setInstead(proposal.author.id, next)} />;
      })}
      {others.map((item) => (
        <NotProposed key={item.author.id} proposal={item} decisions={choice.decisionsOn(item.author.id)} />
      ))}
      {first !== undefined && (
        <Button className={classes.add} size="compact-sm" variant="default" leftSection={<Icon name="plus" size={14} />} disabled={lines.length >= choice.most} onClick={() => add(first)}>
          {t('measure.add')}
        </Button>
      )}
    </fieldset>
  );
}

/** What the ladder proposes for an author, and how that comes about. */
function Proposed({ line, proposal, decisions, lines, change }: { line: ShownLine; proposal: Proposal; decisions: number; lines: readonly ShownLine[]; change: (line: MeasureLine | null | undefined) => void }) {
  const { t } = useI18n();
  const text = useMeasureText();
  const [changing, setChanging] = useState(false);
  const asProposed = line.until !== undefined || !line.ticked;
  const words = line.until !== undefined ? { days: line.days } : line.date === undefined ? { days: line.days } : null;
  return (
    <div className={classes.proposed}>
      <Checkbox
        label={words === null ? t(`measure.${line.kind}`) : text(line.kind, words)}
        description={<Because proposal={proposal} decisions={decisions} />}
        checked={line.ticked}
        onChange={(event) => {
          setChanging(false);
          change(event.currentTarget.checked ? undefined : null);
        }}
      />
      {line.ticked && !changing && asProposed && (
        <Button size="compact-xs" variant="subtle" leftSection={<Icon name="pencil" size={13} />} onClick={() => setChanging(true)}>
          {t('measure.change')}
        </Button>
      )}
      {line.ticked && (changing || !asProposed) && (
        <LineEditor
          line={line}
          fault={faultOf(line, lines, Date.now())}
          authors={null}
          kinds={proposal.kinds}
          onChange={change}
          remove={null}
          back={() => {
            setChanging(false);
            change(undefined);
          }}
        />
      )}
    </div>
  );
}

function Because({ proposal: { author, after }, decisions }: { proposal: Proposal; decisions: number }) {
  const { t } = useI18n();
  return (
    <>
      <NameOfAuthor author={author} /> · {t(decisions === 1 ? 'measure.strikesWithThis' : 'measure.strikesWithThese', { after })}
    </>
  );
}

/** The strikes of an author for whom nothing is ticked: the ladder proposes nothing, or what the user may not impose. */
function NotProposed({ proposal, decisions }: { proposal: Proposal; decisions: number }) {
  const { t } = useI18n();
  const text = useMeasureText();
  const { measure } = proposal;
  return (
    <p className={classes.hint}>
      <Because proposal={proposal} decisions={decisions} />
      {'. '}
      {measure === null ? t('measure.proposesNothing') : t('measure.notYours', { what: text(measure.kind, { until: measure.until }) })}
    </p>
  );
}
