import { useNavigate, type To } from 'react-router';
import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useCommands } from '../keyboard/CommandProvider';
import { bind, shortcuts } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { useToasts } from '../ui/Toasts';
import { offers, resolveKey, runnable } from './possibleMoves';
import type { Walk } from './useWalk';
import { actionLabel } from './work/actionLabel';
import type { ReportCommands } from './work/useReportCommands';
import type { WorkForm } from './work/workForm';

interface Work {
  report: Report | undefined;
  /** False until the report and the notes on it are known. */
  ready: boolean;
  commands: ReportCommands;
  walk: Walk;
  list: To;
  inCase: boolean;
  setForm: (form: WorkForm) => void;
  /** Runs an action on the content. */
  act: (action: string) => void;
}

/** The keys of a report or case, and its commands in the palette. */
export function useWorkKeys({ report, ready, commands, walk, list, inCase, setForm, act }: Work): void {
  const { t } = useI18n();
  const navigate = useNavigate();
  const toasts = useToasts();
  const start = (next: WorkForm) => {
    if (report !== undefined && (next === 'note' || (commands.pending === null && offers(report, next)))) setForm(next);
  };
  const run = (action: string) => {
    if (report !== undefined && runnable(report).some(({ name }) => name === action)) act(action);
  };
  useShortcuts(bind('walk', { next: () => void walk.go(1), previous: () => void walk.go(-1), list: () => void navigate(list) }));
  useShortcuts(
    bind('report', {
      claim: () => {
        if (report !== undefined && offers(report, 'claim')) void commands.claim();
      },
      assign: () => start('assign'),
      escalate: () => start('escalate'),
      note: () => start('note'),
      resolve: () => start(report !== undefined && offers(report, 'reopen') ? 'reopen' : 'resolve'),
      hide: () => run('hide'),
      restore: () => run('unhide'),
    }),
    ready,
  );

  useCommands([
    ...(report === undefined
      ? []
      : [
          ...(offers(report, 'claim') ? [{ id: 'claim', title: t('move.claim'), hint: shortcuts.report.claim.key, run: () => void commands.claim() }] : []),
          ...(offers(report, 'unassign') ? [{ id: 'unassign', title: t('move.unassign'), run: () => void commands.unassign() }] : []),
          ...(['assign', 'escalate', 'resolve', 'reopen'] as const)
            .filter((move) => offers(report, move))
            .map((move) => ({ id: move, title: t(move === 'resolve' ? resolveKey(report) : `move.${move}`), hint: move === 'resolve' && offers(report, 'reopen') ? undefined : shortcuts.report[move === 'reopen' ? 'resolve' : move].key, run: () => start(move) })),
          ...(offers(report, 'return') ? [{ id: 'return', title: t('move.return'), run: () => start('return') }] : []),
          ...runnable(report).map((action) => ({ id: action.name, title: actionLabel(t, action.name), run: () => run(action.name) })),
          // Browsers give pages without https no clipboard.
          ...(navigator.clipboard === undefined ? [] : [{ id: 'copy-link', title: t('report.copyLink'), run: () => void navigator.clipboard.writeText(location.origin + location.pathname).then(() => toasts.show({ text: t('report.linkCopied') }), () => {}) }]),
        ]),
    { id: 'back-to-list', title: t(inCase ? 'key.toCases' : 'key.board'), hint: shortcuts.walk.list.key, run: () => void navigate(list) },
  ]);
}
