/** The flag that a laboratory prints next to a result. */
export type LabFlag = 'high' | 'low' | 'abnormal' | 'normal';

const flag = (...words: readonly string[]): RegExp => new RegExp(`^(?:${words.join('|')})$`, 'iu');

const FLAGS: readonly [LabFlag, RegExp][] = [
  [
    'high',
    flag(
      String.raw`h{1,2}|\+{1,3}|↑{1,3}|▲|↗|>>|hi|high|above (?:(?:the )?(?:normal|reference) range|range|normal|high normal|reference)`,
      'hoch|zu hoch|too high|trop (?:haut|élevé)e?|troppo alt[oa]|erhöht|haut|élevée?|alt[oa]|elevat[oa]',
    ),
  ],
  [
    'low',
    flag(
      'l{1,2}|-{1,3}|[–−]|↓{1,3}|▼|↘|<<|lo|low|below (?:(?:the )?(?:normal|reference) range|range|normal|low normal|reference)',
      'tief|zu tief|zu niedrig|too low|trop bas(?:se)?|troppo bass[oa]|niedrig|erniedrigt|vermindert|bas(?:se)?|bass[oa]',
    ),
  ],
  [
    'abnormal',
    flag(
      String.raw`\*{1,3}|a{1,2}|!{1,3}|abnormal|path\.?|pathologi(?:sch|que)|anorma(?:le?|ux)|patologic[oa]|anomal[oaie]`,
      'auffällig|abnorm|(?:outside|out of)(?: the)?(?: normal| reference)? range|ausserhalb|außerhalb|hors norme|fuori norma',
    ),
  ],
  [
    'normal',
    flag(
      String.raw`n|normal|(?:in|within)(?: the)?(?: normal| reference)? range|norm\.?|normale|ok|unauffällig`,
      'im (?:norm|referenz|ziel)?bereich|dans la norme|nella norma',
    ),
  ],
];

/** Reads a flag, with or without brackets; null for other texts. */
export function parseLabFlag(text: string): LabFlag | null {
  // Italian laboratories print (A) for "alto" and (B) for "basso"; without brackets a B is not a flag.
  if (/^[[(]b[\])]$/iu.test(text.trim())) return 'low';
  // "▼ niedrig": a sign before the word says the same, or only has a color.
  const plain = text
    .trim()
    .replace(/^[[(]|[\])]$/g, '')
    .replace(/^[●•○◯⬤▲▼↑↓] (?=\p{L})/u, '');
  return FLAGS.find(([, form]) => form.test(plain))?.[0] ?? null;
}
