import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../session/useSession';
import { targetTypesQuery } from '../../board/useTargetTypes';
import { humanise } from '../../i18n/format';
import { en } from '../../i18n/en';
import { useI18n } from '../../i18n/I18n';
import type { MessageKey } from '../../i18n/messages';
import { useNames } from '../shared/useNames';

const corePlugin = '@platform/core';

/** Names of grants for people. A plugin's module takes the label of its target type. */
export function useGrantWords() {
  const { t, label } = useI18n();
  const moderates = useUser()?.isModerator === true;
  const types = useQuery({ ...targetTypesQuery, enabled: moderates }).data?.items ?? [];
  const { plugin } = useNames();
  return {
    plugin,
    module: (plugin: string, module: string): string => {
      const own = `module.${module}`;
      if (plugin === corePlugin && own in en) return t(own as MessageKey);
      const type = types.find((candidate) => candidate.pluginId === plugin && candidate.permissionModule === module);
      // Three, since "two" has a plural form of its own in Arabic.
      return type === undefined ? humanise(module) : label(type.label, { count: 3 });
    },
    permission: (permission: string): string => {
      const key = `permission.${permission}`;
      return key in en ? t(key as MessageKey) : humanise(permission);
    },
  };
}
