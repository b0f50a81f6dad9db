import type { RichTextNode } from '../api/types';
import { isRichText } from './document';
import { RichText } from './RichText';
import classes from './RichText.module.css';

/** Text that people wrote, rich or plain. */
export function Words({ body }: { body: RichTextNode | string }) {
  if (isRichText(body)) return <RichText doc={body} />;
  return (
    <p className={classes.plain} dir="auto">
      {String(body)}
    </p>
  );
}
