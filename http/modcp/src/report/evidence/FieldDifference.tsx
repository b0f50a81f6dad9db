import type { SnapshotField } from '../../api/types';
import { TextDifference } from '../../compare/TextDifference';
import { FieldName } from './SnapshotFieldViewer';

export function FieldDifference({ type, field, before, after }: { type: string; field: SnapshotField; before: string; after: string }) {
  return (
    <section>
      <FieldName type={type} field={field} />
      <TextDifference before={before} after={after} />
    </section>
  );
}
