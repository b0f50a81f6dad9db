import { Fragment } from 'react';
import classes from './Admin.module.css';

/** A URL that breaks between its parts where a line is too short for it. */
export function Address({ url }: { url: string }) {
  return (
    <bdi className={classes.url} dir="ltr">
      {url.split(/(?<=[/?&])(?!\/)/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
