import type { SnapshotField, SnapshotFile } from '../../api/types';
import { formatBytes, humanise } from '../../i18n/format';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import { BlurredImage } from '../../richtext/BlurredImage';
import { isRichText } from '../../richtext/document';
import { OutLink, RichText } from '../../richtext/RichText';
import { safeImage, safeTarget } from '../../ui/safeUrl';
import classes from './SnapshotFieldViewer.module.css';

/** The generic viewer: renders a field of any plugin by its kind alone. */
export function SnapshotFieldViewer({ type, field }: { type: string; field: SnapshotField }) {
  return (
    <section className={classes.field}>
      <FieldName type={type} field={field} />
      <FieldValue field={field} />
    </section>
  );
}

/** The plugin's name for the field in this language, else the snapshot's label. */
export function FieldName({ type, field }: { type: string; field: SnapshotField }) {
  const { label } = useI18n();
  const stored = field.label === '' ? humanise(field.name) : label(field.label);
  return <h3 className={classes.name}>{label(`${type}.${field.name}`, undefined, stored)}</h3>;
}

function FieldValue({ field }: { field: SnapshotField }) {
  const { value, kind } = field;
  if (value === null || value === undefined || value === '') return <Nothing />;
  if (kind === 'richText' && isRichText(value)) return <RichText doc={value} />;
  if (kind === 'file') return <Files value={value} />;
  if (kind === 'value' && typeof value === 'string' && moment.test(value)) return <Moment iso={value} />;
  if (typeof value === 'string') {
    return (
      <p className={classes.text} dir="auto">
        {value}
      </p>
    );
  }
  return <Value value={value} />;
}

/** Matches a time as the API writes it: the kind `value` does not say which values are times. */
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function Moment({ iso }: { iso: string }) {
  const { date } = useI18n();
  return (
    <p className={classes.text}>
      <time dateTime={iso}>{date(iso)}</time>
    </p>
  );
}

function Nothing() {
  const { t } = useI18n();
  return <p className={classes.none}>{t('state.none')}</p>;
}

function Value({ value }: { value: unknown }) {
  const { t, number } = useI18n();
  if (typeof value === 'boolean') return <p className={classes.text}>{t(value ? 'report.yes' : 'report.no')}</p>;
  if (typeof value === 'number') return <p className={classes.text}>{number(value)}</p>;
  return <pre className={classes.json}>{JSON.stringify(value, null, 2)}</pre>;
}

function Files({ value }: { value: unknown }) {
  const files = (Array.isArray(value) ? value : [value]).filter((file): file is SnapshotFile => typeof file === 'object' && file !== null);
  return (
    <ul className="bare">
      {files.map((file, index) => (
        <li key={file.id ?? index}>
          <FileView file={file} />
        </li>
      ))}
    </ul>
  );
}

function FileView({ file }: { file: SnapshotFile }) {
  const { locale } = useI18n();
  const name = String(file.name ?? '');
  const type = String(file.mimeType ?? '');
  const href = safeTarget(file.url);
  const picture = type.startsWith('image/') ? safeImage(file.url) : null;
  return (
    <>
      <span className={classes.file}>
        <Icon name="file" size={16} />
        {href === null ? <bdi>{name}</bdi> : <OutLink href={href}>{name}</OutLink>}
        <span className="small">
          {type} · {formatBytes(Number(file.size) || 0, locale.id)}
        </span>
      </span>
      {picture !== null && <BlurredImage src={picture} alt={name} />}
    </>
  );
}
