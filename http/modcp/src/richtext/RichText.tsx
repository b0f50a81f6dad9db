import { createElement, Fragment, type ReactNode } from 'react';
import type { RichTextMark, RichTextNode } from '../api/types';
import { useI18n } from '../i18n/I18n';
import classes from './RichText.module.css';
import { safeImage, safeLink } from '../ui/safeUrl';
import { BlurredImage } from './BlurredImage';
import { asNode, linkOf, words } from './document';

/** No honest document nests deeper; below this level only the text is kept. */
const maxDepth = 70;

/**
 * Rich text as React elements, through an allowlist: an unknown node is replaced by its
 * children, an unknown mark or attribute is dropped, and nothing is ever parsed as HTML.
 */
export function RichText({ doc }: { doc: unknown }) {
  const { t } = useI18n();
  return (
    <div className={classes.text} dir="auto">
      {children(asNode(doc), 0, t('report.imageLink'))}
    </div>
  );
}

function children(node: RichTextNode, depth: number, imageLabel: string): ReactNode {
  if (!Array.isArray(node.content)) return null;
  const all = node.content.map(asNode);
  return all.map((child, index) => {
    const href = linkOf(child);
    return (
      <Fragment key={index}>
        {render(child, depth + 1, imageLabel)}
        {href !== null && href !== linkOf(all[index + 1]) && <LinkTarget href={href} text={child.text} />}
      </Fragment>
    );
  });
}

/** Characters of an address that tell where it leads. */
const addressShown = 200;

/** The address of a link behind its words, unless they say it. */
function LinkTarget({ href, text }: { href: string; text: unknown }) {
  const said = href.replace(/^https?:\/\//, '').replace(/\/$/, '');
  if (text === href || text === said) return null;
  return (
    <>
      {' '}
      <bdi className={classes.target} dir="ltr">
        {said.length > addressShown ? `${said.slice(0, addressShown)}…` : said}
      </bdi>
    </>
  );
}

const plain: Record<string, string> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  bulletList: 'ul',
  listItem: 'li',
  tableRow: 'tr',
};

function render(node: RichTextNode, depth: number, imageLabel: string): ReactNode {
  if (depth > maxDepth) return words(node);
  if (node.type === 'text') return withMarks(typeof node.text === 'string' ? node.text : '', node.marks);
  const inner = () => children(node, depth, imageLabel);
  const attrs = typeof node.attrs === 'object' && node.attrs !== null ? node.attrs : {};
  const element = plain[node.type];
  if (element !== undefined && Object.hasOwn(plain, node.type)) return createElement(element, null, inner());
  switch (node.type) {
    case 'heading':
      // Headings of a document rank below those of the page.
      return createElement(`h${Math.min(6, 2 + whole(attrs.level, 1, 6))}`, null, inner());
    case 'orderedList':
      return <ol start={whole(attrs.start, 1, 1_000_000)}>{inner()}</ol>;
    case 'taskList':
      return <ul className={classes.tasks}>{inner()}</ul>;
    case 'taskItem':
      return (
        <li data-checked={attrs.checked === true || undefined}>
          <span aria-hidden="true">{attrs.checked === true ? '☑' : '☐'}</span> <div>{inner()}</div>
        </li>
      );
    case 'codeBlock':
      return (
        <pre>
          <code>{inner()}</code>
        </pre>
      );
    case 'table':
      return (
        <div className={classes.scroll}>
          <table>
            <tbody>{inner()}</tbody>
          </table>
        </div>
      );
    case 'tableHeader':
      return <th {...spans(attrs)}>{inner()}</th>;
    case 'tableCell':
      return <td {...spans(attrs)}>{inner()}</td>;
    case 'horizontalRule':
      return <hr />;
    case 'hardBreak':
      return <br />;
    case 'image':
      return image(attrs, imageLabel);
    default:
      return inner();
  }
}

function image(attrs: Record<string, unknown>, label: string): ReactNode {
  const alt = typeof attrs.alt === 'string' && attrs.alt !== '' ? attrs.alt : label;
  const href = safeLink(attrs.src);
  if (href === null) return <span>{alt}</span>;
  const src = safeImage(attrs.src);
  return (
    <>
      {src === null ? <OutLink href={href}>{alt}</OutLink> : <BlurredImage src={src} alt={alt} />}
      <LinkTarget href={href} text={alt} />
    </>
  );
}

/** A link in text that people wrote: opens in a new tab, without referrer or opener. */
export function OutLink({ href, children: text }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}

const markElements: Record<string, string> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
  subscript: 'sub',
  superscript: 'sup',
};

function withMarks(text: string, marks: RichTextMark[] | undefined): ReactNode {
  if (!Array.isArray(marks)) return text;
  return marks.reduceRight<ReactNode>((inner, mark) => {
    if (mark?.type === 'link') {
      const href = safeLink(mark.attrs?.href);
      return href === null ? inner : <OutLink href={href}>{inner}</OutLink>;
    }
    const element = Object.hasOwn(markElements, mark?.type ?? '') ? markElements[mark.type] : undefined;
    return element === undefined ? inner : createElement(element, null, inner);
  }, text);
}

function whole(value: unknown, low: number, high: number): number {
  return typeof value === 'number' && Number.isInteger(value) ? Math.min(high, Math.max(low, value)) : low;
}

function spans(attrs: Record<string, unknown>): { colSpan: number; rowSpan: number } {
  return { colSpan: whole(attrs.colspan, 1, 100), rowSpan: whole(attrs.rowspan, 1, 100) };
}
