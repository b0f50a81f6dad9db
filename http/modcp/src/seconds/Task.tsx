import type { SecondTask } from '../api/seconds';
import { Spared } from '../care/Spared';
import { ContextItems } from '../context/Context';
import { PolicyLink } from '../decision/PolicyLink';
import { useI18n } from '../i18n/I18n';
import { SnapshotFieldViewer } from '../report/evidence/SnapshotFieldViewer';
import { Panel } from '../ui/Panel';
import { ReasonTag } from '../ui/Tag';
import { When } from '../ui/When';
import classes from './Seconds.module.css';

/** What the first decider saw. */
export function Task({ task }: { task: SecondTask }) {
  const { t, label } = useI18n();
  return (
    <div className={classes.column}>
      <Panel id="second-reason" title={<bdi>{task.snapshot.title === '' ? t('board.untitled') : task.snapshot.title}</bdi>}>
        <p className={classes.line}>
          <span className={classes.muted}>{label(task.target.label)}</span> <ReasonTag reason={task.reason} /> {task.allegedPolicy !== null && <PolicyLink policy={task.allegedPolicy} />}{' '}
          <span className={classes.muted}>
            <When iso={task.createdAt} />
          </span>
        </p>
        {task.description !== null && task.description !== '' && (
          <blockquote className={classes.words} dir="auto">
            {task.description}
          </blockquote>
        )}
      </Panel>
      <Panel id="evidence" title={t('report.evidence')}>
        <Spared reason={task.reason} className={classes.fields}>
          {task.snapshot.fields.map((field) => (
            <SnapshotFieldViewer key={field.name} type={task.snapshot.target.type} field={field} />
          ))}
          {task.snapshot.fields.length === 0 && <p className={classes.muted}>{t('report.noFields')}</p>}
        </Spared>
      </Panel>
      <ContextItems items={task.context} />
    </div>
  );
}
