export const work = {
  'verdict.title': 'القرارات',
  'verdict.hides': 'يخفي المحتوى',
  'verdict.restores': 'يعيد المحتوى',
  'verdict.asks': 'يطلب تفسيرا',
  'key.noViolation': 'لا مخالفة',
  'key.rule': 'إجراء بموجب قاعدة',
  'key.fillIn': 'القرار نفسه في النموذج أولا',
  'help.verdict': 'القرارات في البلاغ أو الحالة',
};
