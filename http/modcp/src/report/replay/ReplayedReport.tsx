import { useI18n } from '../../i18n/I18n';
import { PersonName } from '../../ui/PersonName';
import { PolicyLink } from '../../decision/PolicyLink';
import { MeasureEnd } from '../../measures/MeasureEnd';
import { MeasureTag } from '../../measures/MeasureTag';
import { isRichText } from '../../richtext/document';
import { RichText } from '../../richtext/RichText';
import { Words } from '../../richtext/Words';
import { ResolutionTag, StatusTag } from '../../ui/Tag';
import classes from './Replay.module.css';
import type { ReplayNote, ReplayState } from './replayState';

/** A report as it stood: who held it, how it was decided, and its notes. */
export function ReplayedReport({ state }: { state: ReplayState }) {
  const { t } = useI18n();
  return (
    <>
      <dl className={classes.state}>
        <div>
          <dt>{t('replay.status')}</dt>
          <dd>
            <StatusTag status={state.status} />
          </dd>
        </div>
        <div>
          <dt>{t('board.assignee')}</dt>
          <dd>{state.assignee === null ? t('report.nobody') : <bdi>{state.assignee}</bdi>}</dd>
        </div>
        <div>
          <dt>{t('report.decision')}</dt>
          <dd>{state.resolution === null ? '–' : <ResolutionTag resolution={state.resolution} />}</dd>
        </div>
        <div>
          <dt>{t('replay.version')}</dt>
          <dd>{state.version}</dd>
        </div>
        {state.explanation !== null && (
          <div className={classes.wide}>
            <dt>{t('report.explanation')}</dt>
            <dd>
              <p className={classes.words} dir="auto">
                {state.explanation}
              </p>
            </dd>
          </div>
        )}
        {state.measures.length > 0 && (
          <div className={classes.wide}>
            <dt>{t('measures.title')}</dt>
            {state.measures.map((measure) => (
              <dd key={measure.measureId}>
                <MeasureTag kind={measure.kind} /> <MeasureEnd of={measure} />
              </dd>
            ))}
          </div>
        )}
        {state.decision?.policy != null && (
          <div className={classes.wide}>
            <dt>{t('decision.policy')}</dt>
            <dd>
              <PolicyLink policy={state.decision.policy} />
            </dd>
          </div>
        )}
        {state.decision?.reasons != null && (
          <div className={classes.wide}>
            <dt>{t('decision.reasons')}</dt>
            <dd>
              <Words body={state.decision.reasons} />
            </dd>
          </div>
        )}
      </dl>
      {state.notes.length > 0 && (
        <>
          <h3 className={classes.title}>{t('replay.notes')}</h3>
          <ul className={classes.notes}>
            {state.notes.map((note) => (
              <li key={note.id}>
                <div className="small">
                  <PersonName person={note.author} plain />
                </div>
                <NoteThen note={note} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function NoteThen({ note }: { note: ReplayNote }) {
  const { t } = useI18n();
  if (note.deletedAt !== null) return <p className={classes.gone}>{t('note.deleted')}</p>;
  if (note.withheld) return <p className={classes.gone}>{t('replay.withheld')}</p>;
  if (note.body === null) return <p className={classes.gone}>{t('state.erased')}</p>;
  if (isRichText(note.body)) return <RichText doc={note.body} />;
  return (
    <p className={classes.words} dir="auto">
      {String(note.body)}
    </p>
  );
}
