import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../session/useSession';
import { targetTypesQuery } from '../../board/useTargetTypes';
import { humanise } from '../../i18n/format';
import { useI18n } from '../../i18n/I18n';
import { corePlugin, useNames } from '../shared/useNames';

/** Names of grants for people. A plugin's module takes the label of its target type. */
export function useGrantWords() {
  const { known, label } = useI18n();
  const moderates = useUser()?.isModerator === true;
  const types = useQuery({ ...targetTypesQuery, enabled: moderates }).data?.items ?? [];
  const { plugin } = useNames();
  return {
    plugin,
    module: (plugin: string, module: string): string => {
      const own = plugin === corePlugin ? known(`module.${module}`) : undefined;
      if (own !== undefined) return own;
      const type = types.find((candidate) => candidate.pluginId === plugin && candidate.permissionModule === module);
      // Three, since "two" has a plural form of its own in Arabic.
      return type === undefined ? humanise(module) : label(type.label, { count: 3 });
    },
    permission: (permission: string): string => known(`permission.${permission}`) ?? humanise(permission),
  };
}
