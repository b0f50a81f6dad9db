import { useCallback } from 'react';
import type { ContentAuthor, MeasureEnd, Report, TimelineEntry } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { actionLabel } from '../work/actionLabel';

/** Whom the entries of a report may name. */
export type Parties = Pick<Report, 'id' | 'assignee' | 'resolver' | 'reporter'> & { escalated?: Report['escalated']; snapshot?: Report['snapshot']; authors?: readonly ContentAuthor[] };

/** One sentence for a timeline entry: who did what. */
export function useEntryText(report: Parties): (entry: TimelineEntry) => string {
  const { t, date, locale } = useI18n();
  return useCallback(
    (entry: TimelineEntry) => {
      const people = [report.assignee, report.resolver, report.reporter].filter((person) => person !== null);
      const { data } = entry;
      const actor = entry.actor?.name ?? (data.rule === undefined ? t('state.deletedAccount') : t('timeline.rule', { rule: data.rule }));
      const author = [...(report.snapshot?.authors ?? []), ...(report.authors ?? [])].find(({ id }) => id === data.author?.id)?.name || (data.author?.id ?? '');
      switch (entry.type) {
        case 'created':
          return t('timeline.created', { actor });
        case 'assigned': {
          if (data.lapsed === true) return t('timeline.lapsed');
          if (data.claimed === true) return t('timeline.claimed', { actor });
          if (data.assigneeId === null || data.assigneeId === undefined) return t('timeline.unassigned', { actor });
          const name = people.find((person) => person.id === data.assigneeId)?.name;
          return name === undefined ? t('timeline.assigned', { actor }) : t('timeline.assignedTo', { actor, name });
        }
        case 'escalated': {
          if (data.to === 'leads') return t('timeline.escalatedLeads', { actor });
          const name = [report.escalated?.person, ...people].find((person) => person?.id === data.to)?.name;
          return name === undefined ? t('timeline.escalatedPerson', { actor }) : t('timeline.escalated', { actor, name });
        }
        case 'returned':
          return t('timeline.returned', { actor });
        case 'note_added':
          return t('timeline.note', { actor });
        case 'note_updated':
          return t('timeline.noteUpdated', { actor });
        case 'note_deleted':
          return t('timeline.noteDeleted', { actor });
        case 'note_pinned':
          return data.until == null ? t('timeline.noteUnpinned', { actor }) : t('timeline.notePinned', { actor, time: date(data.until) });
        case 'decision_held':
          return t('timeline.decisionHeld', { actor, what: [data.action === undefined ? [] : actionLabel(t, data.action), data.resolution === undefined ? [] : t(`resolution.${data.resolution}`)].flat().join(', ') });
        case 'held_released':
          return t(data.approved === true ? 'timeline.heldApproved' : 'timeline.heldRejected', { actor });
        case 'held_lapsed':
          return t('timeline.heldLapsed');
        case 'action':
          return t('timeline.action', { actor, action: actionLabel(t, data.action ?? '') });
        case 'action_requested':
          return t('timeline.actionRequested', { actor, action: actionLabel(t, data.action ?? '') });
        case 'action_failed':
          return t('timeline.actionFailed', { action: actionLabel(t, data.action ?? '') });
        case 'action_unchanged':
          return t('timeline.actionUnchanged', { action: actionLabel(t, data.action ?? '') });
        case 'appealed':
          return t(data.by === 'reporter' ? 'timeline.appealed.reporter' : 'timeline.appealed.author', { actor });
        case 'appeal_decided':
          return t(data.outcome === 'upheld' ? 'timeline.appealUpheld' : data.superseded === true ? 'timeline.appealClosed' : 'timeline.appealOverturned', { actor });
        case 'resolved':
          return t('timeline.resolved', { actor, resolution: data.resolution === undefined ? '' : t(`resolution.${data.resolution}`) });
        case 'reopened':
          return t('timeline.reopened', { actor });
        case 'account_removed':
          return t('timeline.accountRemoved');
        case 'overdue':
          return data.dueAt === undefined ? t('timeline.overdue') : t('timeline.overdueSince', { time: date(data.dueAt) });
        case 'measure_imposed': {
          const measure = { actor, author, kind: t(`measure.is.${data.kind ?? 'warn'}`) };
          return data.until == null ? t('timeline.measureImposed', measure) : t('timeline.measureImposedUntil', { ...measure, time: date(data.until) });
        }
        case 'measure_ended':
          return t(`timeline.measureEnded.${endOf(data.by)}`, { actor, author, kind: t(`measure.is.${data.kind ?? 'warn'}`) });
        case 'measure_pending':
        case 'measure_confirmed':
        case 'measure_failed':
          return t(`timeline.${data.ends === true ? 'measureEnd' : 'measure'}.${entry.type as 'measure_pending' | 'measure_confirmed' | 'measure_failed'}`, { author, kind: t(`measure.is.${data.kind ?? 'warn'}`) });
        case 'signalled':
          return t('timeline.signalled', { source: data.source ?? '', signals: (data.signals ?? []).map((signal) => `${signal.name} ${signal.score.toLocaleString(locale.id, { maximumFractionDigits: 2 })}`).join(', ') });
        case 'rule_matched':
          return t(data.shadow === true ? 'timeline.ruleMatchedShadow' : 'timeline.ruleMatched', { rule: data.title ?? '' });
        case 'second_decided':
          return t(data.agreed === true ? 'timeline.secondAgreed' : 'timeline.secondDisputed', { actor, resolution: data.resolution === undefined ? '' : t(`resolution.${data.resolution}`) });
        case 'second_settled':
          return t(data.stands === true ? 'timeline.settledStands' : 'timeline.settledFalls', { actor });
        case 'evidence_erased':
          return t('timeline.erased');
        default:
          return t('timeline.other', { actor, type: entry.type });
      }
    },
    [date, locale, report, t],
  );
}

function endOf(by: string | undefined): MeasureEnd {
  return by === 'overturn' || by === 'moderator' ? by : 'expiry';
}
