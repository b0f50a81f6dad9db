export const work = {
  'verdict.title': 'Verdicts',
  'verdict.hides': 'Hides the content',
  'verdict.restores': 'Restores the content',
  'verdict.asks': 'Asks for an explanation',
  'key.noViolation': 'No violation',
  'key.rule': 'Action taken, by a rule',
  'key.fillIn': 'The same, in the form first',
  'help.verdict': 'Verdicts on a report or case',
};
