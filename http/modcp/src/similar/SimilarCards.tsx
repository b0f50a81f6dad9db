import { Button } from '@mantine/core';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { Report, Snapshot } from '../api/types';
import type { BulkItem } from '../bulk/job';
import { BlurredWords } from '../care/BlurredWords';
import { isGrave, useCare } from '../care/care';
import { TextDifference } from '../compare/TextDifference';
import { useI18n } from '../i18n/I18n';
import { isRichText, words } from '../richtext/document';
import { Icon } from '../ui/Icon';
import { ReasonTag } from '../ui/Tag';
import classes from './SimilarCards.module.css';

export interface SimilarCard {
  item: BulkItem;
  /** Null while it is read, and where it cannot be. */
  report: Report | null;
  /** Whether the verdict can be given to it, and why not. */
  ready: boolean;
  state: string;
}

interface Props {
  /** The report that the others are compared with. */
  against: Report;
  cards: readonly SimilarCard[];
  left: ReadonlySet<string>;
  /** Leaves a report out, or takes it in again. */
  toggle: (id: string) => void;
}

/** Content below this similarity has only a link in common, so its words are shown and not compared. */
const comparable = 0.5;

/** Look-alikes side by side with what differs marked; arrows or `j` and `k` move, and `x` leaves one out. */
export function SimilarCards({ against, cards, left, toggle }: Props) {
  const { t, number } = useI18n();
  const [{ words: spare }] = useCare();
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const own = textOf(against.snapshot);

  const move = (to: number) => {
    const next = Math.min(Math.max(to, 0), cards.length - 1);
    setActive(next);
    const card = list.current?.children[next];
    (card?.querySelector<HTMLElement>('[data-leave]:not(:disabled)') ?? card?.querySelector('a'))?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const card = cards[active];
    if (event.key === 'x' && card?.ready === true) toggle(card.item.id);
    else if (event.key === 'j' || event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'k' || event.key === 'ArrowUp') move(active - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const textFor = (item: BulkItem, report: Report | null) => {
    const text = textOf(report?.snapshot ?? null) || (item.excerpt ?? '');
    if (item.id === against.id || report === null || (item.similarity ?? 0) < comparable) return <p dir="auto">{short(text)}</p>;
    return text === own ? <p className={classes.same}>{t('similar.same')}</p> : <TextDifference before={own} after={text} brief />;
  };

  return (
    <ul ref={list} className={classes.grid} aria-label={t('similar.title')}>
      {cards.map(({ item, report, ready, state }, index) => {
        const out = left.has(item.id);
        // One card at a time can be tabbed to.
        const stop = { tabIndex: index === active ? 0 : -1, onFocus: () => setActive(index), onKeyDown };
        return (
          <li key={item.id} className={classes.card} data-left={out || undefined}>
            <div className={classes.head}>
              <a className={classes.title} dir="auto" href={`/modcp/reports/${item.id}`} target="_blank" rel="noreferrer" {...stop}>
                {item.title === null || item.title === '' ? t('board.untitled') : item.title}
              </a>
              {report !== null && <ReasonTag reason={report.reason} />}
            </div>
            <div className={classes.text}>
              {spare && isGrave(report?.reason ?? against.reason) ? <BlurredWords>{textFor(item, report)}</BlurredWords> : textFor(item, report)}
            </div>
            <div className={classes.foot}>
              <span className={classes.state}>
                {item.id === against.id ? t('similar.self') : t('similar.percent', { percent: number(Math.floor((item.similarity ?? 0) * 100)) })} · {state}
              </span>
              <Button
                size="compact-sm"
                variant="default"
                {...stop}
                data-leave
                data-autofocus={index === 0 || undefined}
                disabled={report !== null && !ready}
                leftSection={<Icon name={out ? 'undo' : 'close'} size={14} />}
                onClick={() => toggle(item.id)}
              >
                {t(out ? 'similar.takeIn' : 'similar.leaveOut')}
                <span className="visually-hidden"> {item.title}</span>
              </Button>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** The text of a snapshot with the targets of its links, a field a line. */
function textOf(snapshot: Snapshot | null): string {
  if (snapshot === null) return '';
  return snapshot.fields
    .flatMap(({ kind, value }) => (kind === 'richText' && isRichText(value) ? [words(value, true)] : (kind === 'text' || kind === 'richText') && typeof value === 'string' ? [value.trim()] : []))
    .join('\n');
}

const shown = 600;

const short = (text: string) => (text.length > shown ? `${text.slice(0, shown)}…` : text);
