import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useI18n } from '../i18n/I18n';
import { useAnnounce } from './Announcer';
import { Icon } from './Icon';
import classes from './Secret.module.css';

/** Something that is shown once, to be copied. */
export function Secret({ text, label }: { text: string; label: string }) {
  const { t } = useI18n();
  const announce = useAnnounce();
  const clipboard = useClipboard();
  return (
    <div className={classes.secret} role="group" aria-label={label}>
      <code className={classes.text} dir="ltr">
        {text}
      </code>
      {/* Browsers give pages without https no clipboard. */}
      {window.isSecureContext && (
        <Button
          size="compact-md"
          variant="default"
          leftSection={clipboard.copied ? <Icon name="check" size={15} /> : undefined}
          onClick={() => {
            clipboard.copy(text);
            announce(t('secret.copied'));
          }}
        >
          {t(clipboard.copied ? 'secret.copied' : 'secret.copy')}
        </Button>
      )}
    </div>
  );
}
