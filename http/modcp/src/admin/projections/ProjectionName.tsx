import { useI18n } from '../../i18n/I18n';
import { Named } from '../shared/Named';

/** A projection's readable name, with the one that the command line takes. */
export function ProjectionName({ name }: { name: string }) {
  const text = useProjectionText();
  return (
    <div>
      <Named text={text(name)} name={name} />
    </div>
  );
}

export function useProjectionText(): (name: string) => string {
  const { known } = useI18n();
  return (name) => known(`projection.${name}`) ?? name;
}
