import type { similar as english } from '../en/similar';

export const similar: Record<keyof typeof english, string> = {
  'similar.title': 'بلاغات متشابهة',
  'similar.count':
    '{count, plural, zero {لا بلاغات مفتوحة بالرابط نفسه أو بنص يكاد يكون نفسه} one {بلاغ مفتوح واحد بالرابط نفسه أو بنص يكاد يكون نفسه} two {بلاغان مفتوحان بالرابط نفسه أو بنص يكاد يكون نفسه} few {# بلاغات مفتوحة بالرابط نفسه أو بنص يكاد يكون نفسه} many {# بلاغًا مفتوحًا بالرابط نفسه أو بنص يكاد يكون نفسه} other {# بلاغ مفتوح بالرابط نفسه أو بنص يكاد يكون نفسه}}',
  'similar.open': 'قارن وقرر',
  'similar.self': 'هذا البلاغ',
  'similar.percent': 'تشابه {percent}٪',
  'similar.same': 'النص نفسه.',
  'similar.leaveOut': 'استبعاد',
  'similar.takeIn': 'إعادة',
  'similar.hint': 'ما يختلف عن هذا البلاغ معلَّم. x للاستبعاد، و j و k للتنقل. لم يُرسل شيء بعد.',

  'precedents.count':
    'من {similar, plural, zero {لا بلاغات مشابهة} one {بلاغ واحد مشابه} two {بلاغين مشابهين} few {# بلاغات مشابهة} many {# بلاغًا مشابهًا} other {# بلاغ مشابه}}: {upheld, plural, zero {لم يُتخذ إجراء} one {اتُّخذ إجراء في واحد} two {اتُّخذ إجراء في اثنين} few {اتُّخذ إجراء في #} many {اتُّخذ إجراء في #} other {اتُّخذ إجراء في #}}{overturned, plural, zero {} one {، ونُقض واحد بعد اعتراض} two {، ونُقض اثنان بعد اعتراض} few {، ونُقض # بعد اعتراض} many {، ونُقض # بعد اعتراض} other {، ونُقض # بعد اعتراض}}',
  'precedents.examples': 'أمثلة',

  'links.title': 'الروابط',
  'links.seen':
    'في {reports, plural, zero {لا بلاغ آخر} one {بلاغ آخر واحد} two {بلاغين آخرين} few {# بلاغات أخرى} many {# بلاغًا آخر} other {# بلاغ آخر}}، {upheld, plural, zero {دون إجراء} one {واحد منها بإجراء} two {اثنان منها بإجراء} few {# منها بإجراء} many {# منها بإجراء} other {# منها بإجراء}}',
  'links.suspicious': 'أبجديات مختلطة',
  'links.suspiciousHint': 'يخلط هذا المضيف حروفًا من أبجديات مختلفة، وقد يقلّد مضيفًا آخر.',
  'links.ask': 'أتفتح هذا الرابط؟',
  'links.host': 'يقود إلى {host}.',
  'links.open': 'افتح في لسان جديد',
};
