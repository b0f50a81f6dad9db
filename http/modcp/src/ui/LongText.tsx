import { Button } from '@mantine/core';
import { useState } from 'react';
import { useI18n } from '../i18n/I18n';
import classes from './LongText.module.css';

/** Characters and lines after which words are folded. */
const folds = 600;
const lines = 8;

/** What somebody wrote, folded where it is long, with a button that shows all of it. */
export function LongText({ text, className = '' }: { text: string; className?: string }) {
  const { t } = useI18n();
  const [whole, setWhole] = useState(false);
  const long = text.length > folds || text.split('\n').length > lines;
  return (
    <div className={className}>
      <p className={classes.text} data-folded={(long && !whole) || undefined} dir="auto">
        {text}
      </p>
      {long && (
        <Button size="compact-xs" variant="subtle" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {t(whole ? 'action.showLess' : 'action.showAll')}
        </Button>
      )}
    </div>
  );
}
