/** Browser names in user agents, most specific first, because most browsers also claim to be Safari. */
const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/Electron\//, 'Hearth'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

const firstMatch = (table: readonly [RegExp, string][], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1];

/** Names the browser of a user agent, as in `Firefox · Windows`; null for other programs. */
export function browserOf(userAgent: string): string | null {
  const [browser, system] = [firstMatch(BROWSERS, userAgent), firstMatch(SYSTEMS, userAgent)];
  if (browser === undefined) return null;
  return system === undefined ? browser : `${browser} · ${system}`;
}
