import type { measures as english } from '../en/measures';

export const measures: Record<keyof typeof english, string> = {
  'measure.warn': 'تحذير',
  'measure.restrict': 'تقييد',
  'measure.suspend': 'إيقاف',
  'measure.terminate': 'إنهاء العضوية',
  'timeline.measureImposed': 'فرض {actor} إجراءً على {author}: {kind}',
  'timeline.measureImposedUntil': 'فرض {actor} إجراءً على {author}: {kind} حتى {time}',
  'timeline.measureEnded.expiry': 'انتهت مدة إجراء على {author}: {kind}',
  'timeline.measureEnded.overturn': 'انتهى إجراء على {author} بانتهاء قراره: {kind}',
  'timeline.measureEnded.moderator': 'أنهى {actor} إجراءً على {author}: {kind}',
  'event.measure_imposed': 'فُرض إجراء',
  'event.measure_ended': 'انتهى إجراء',
  'event.moderation.measure.imposed': 'فُرض إجراء على كاتب',
  'event.moderation.measure.ended': 'انتهى إجراء على كاتب',
  'permission.can_impose_measures': 'فرض إجراءات على الكتّاب',
  'jobName.moderation:end-measures': 'انتهاء الإجراءات',
  'job.moderation:end-measures': 'تنهي الإجراءات على الكتّاب التي حان موعدها، والتي أُلغيت مخالفاتها، كل إجراء مرة واحدة.',
};
