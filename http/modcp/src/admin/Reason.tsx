import classes from './Operations.module.css';

/** Why something failed, in the words of what failed: in full, as its last words say as much as its first. */
export function Reason({ text }: { text: string }) {
  return (
    <div className={classes.reason} dir="auto">
      {text}
    </div>
  );
}
