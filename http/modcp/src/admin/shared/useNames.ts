import { humanise } from '../../i18n/format';
import { useI18n } from '../../i18n/I18n';

/** The id under which Docket itself declares jobs, tasks and permissions. */
export const corePlugin = '@platform/core';

/** Readable names: translated for what Docket brings, made from the identifier for what a plugin brings. */
export function useNames() {
  const { known, label } = useI18n();
  return {
    plugin: (id: string): string => known(`plugin.${id}`) ?? label(id),
    job: (module: string, name: string): string => known(`jobName.${module}:${name}`) ?? humanise(name),
    task: (name: string): string => known(`task.${name}`) ?? humanise(name),
    queue: (name: string): string => known(`queue.of.${name}`) ?? humanise(name),
    listener: (group: string): string => known(`listener.${group}`) ?? humanise(group),
  };
}
