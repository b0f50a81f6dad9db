import classes from './Admin.module.css';

/** A readable name with the technical one beside it. */
export function Named({ text, name }: { text: string; name: string }) {
  return (
    <>
      <bdi className={classes.name}>{text}</bdi> {text !== name && <code className={classes.key}>{name}</code>}
    </>
  );
}
