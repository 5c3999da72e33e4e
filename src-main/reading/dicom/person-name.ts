/**
 * A person name (PS3.5, section 6.2.1.2) as it is said: in letters given before family name, in ideographs family
 * first.
 */
export function personName(value: string | null, { withTitles }: { withTitles: boolean }): string | null {
  const [alphabetic = '', ideographic = ''] = (value ?? '').split('=');
  const words = (parts: (string | undefined)[]): string =>
    parts
      .map((part) => part?.trim() ?? '')
      .filter((part) => part !== '')
      .join(' ');
  const [family, given, middle, prefix, suffix] = alphabetic.split('^');
  const parts = withTitles ? [prefix, given, middle, family, suffix] : [given, middle, family];
  const name = words(parts) || words(ideographic.split('^').slice(0, 3));
  return name === '' ? null : name;
}
