export const similar = {
  'similar.title': 'Look-alikes',
  'similar.count': '{count, plural, one {# open report with the same link or nearly the same text} other {# open reports with the same link or nearly the same text}}',
  'similar.open': 'Compare and decide',
  'similar.self': 'This report',
  'similar.percent': '{percent}% alike',
  'similar.same': 'The same text.',
  'similar.leaveOut': 'Leave out',
  'similar.takeIn': 'Take in again',
  'similar.hint': 'What differs from this report is marked. x leaves one out, j and k move. Nothing is sent yet.',

  'precedents.count':
    'Of {similar, plural, one {# report} other {# reports}} like it {upheld, plural, =0 {none was acted on} one {# was acted on} other {# were acted on}}{overturned, plural, =0 {} one {, # was overturned on appeal} other {, # were overturned on appeal}}',
  'precedents.examples': 'Examples',

  'links.title': 'Links',
  'links.seen': 'Seen in {reports, plural, one {# other report} other {# other reports}}, {upheld, plural, =0 {none acted on} one {# acted on} other {# acted on}}',
  'links.suspicious': 'Mixed scripts',
  'links.suspiciousHint': 'This host mixes letters of different scripts, so it may imitate another.',
  'links.ask': 'Open this link?',
  'links.host': 'It leads to {host}.',
  'links.open': 'Open in a new tab',
};
