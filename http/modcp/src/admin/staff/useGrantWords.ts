import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../app/useSession';
import { targetTypesQuery } from '../../board/useTargetTypes';
import { humanise } from '../../i18n/format';
import { en } from '../../i18n/en';
import { useI18n } from '../../i18n/I18n';
import type { MessageKey } from '../../i18n/locales';
import { useNames } from '../useNames';

const corePlugin = '@platform/core';

/** What grants are about, in words: a plugin's module is called what is reported in it. */
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
      // Of three: "two" is a form of its own in some languages, such as Arabic.
      return type === undefined ? humanise(module) : label(type.label, { count: 3 });
    },
    permission: (permission: string): string => {
      const key = `permission.${permission}`;
      return key in en ? t(key as MessageKey) : humanise(permission);
    },
  };
}
