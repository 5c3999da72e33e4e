/** The flag that a laboratory prints next to a result. */
export type LabFlag = 'high' | 'low' | 'abnormal' | 'normal';

const FLAGS: readonly [LabFlag, RegExp][] = [
  ['high', /^(?:h{1,2}|\+{1,3}|↑{1,3}|▲|high|hoch|erhöht|haut|élevée?|alt[oa]|↗|>>|hi|elevat[oa])$/iu],
  ['low', /^(?:l{1,2}|-{1,3}|–|↓{1,3}|▼|low|tief|niedrig|erniedrigt|vermindert|bas(?:se)?|bass[oa]|↘|<<|lo)$/iu],
  [
    'abnormal',
    /^(?:\*{1,3}|a{1,2}|!{1,3}|abnormal|path\.?|pathologi(?:sch|que)|anorma(?:le?|ux)|patologic[oa]|anomal[oaie]|auffällig|abnorm)$/iu,
  ],
  ['normal', /^(?:n|normal|norm\.?|normale|ok|unauffällig)$/iu],
];

/** Reads a flag, with or without brackets; null for other texts. */
export function parseLabFlag(text: string): LabFlag | null {
  const plain = text.trim().replace(/^[[(]|[\])]$/g, '');
  return FLAGS.find(([, form]) => form.test(plain))?.[0] ?? null;
}
