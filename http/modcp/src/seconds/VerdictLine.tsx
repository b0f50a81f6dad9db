import type { SecondVerdict } from '../api/seconds';
import { PolicyLink } from '../decision/PolicyLink';
import { PersonName } from '../ui/PersonName';
import { ResolutionTag } from '../ui/Tag';
import classes from './Seconds.module.css';

/** What somebody decided; nothing while that is not shown. */
export function VerdictLine({ verdict }: { verdict: SecondVerdict | null }) {
  if (verdict === null) return null;
  return (
    <span className={classes.line}>
      <PersonName person={verdict.by} plain /> <ResolutionTag resolution={verdict.resolution} /> {verdict.policy !== null && <PolicyLink policy={verdict.policy} />}
    </span>
  );
}
