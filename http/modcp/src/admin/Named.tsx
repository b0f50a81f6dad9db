import classes from './Operations.module.css';

/** What a thing is called by people, with the name that machines know it by. */
export function Named({ text, name }: { text: string; name: string }) {
  return (
    <>
      <bdi className={classes.name}>{text}</bdi> {text !== name && <code className={classes.key}>{name}</code>}
    </>
  );
}
