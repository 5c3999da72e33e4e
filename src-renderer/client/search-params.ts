/** Parses `?a=b&c=d` into plain strings. Without JSON, addresses stay readable and can be typed. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search));

/** Serializes parameters; undefined and empty values are omitted. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams(
    Object.entries(search)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
  // Commas and colons stay readable; both are allowed in a query (RFC 3986, 3.4).
  const text = params.toString().replace(/%2C/g, ',').replace(/%3A/g, ':');
  return text === '' ? '' : `?${text}`;
}

const textOf = (search: Record<string, unknown>, name: string) =>
  typeof search[name] === 'string' && search[name] !== '' ? (search[name] as string) : undefined;

/** Returns only the named parameters of an address. */
export function pickSearch<N extends string>(
  search: Record<string, unknown>,
  names: readonly N[],
): { [K in N]?: string } {
  const picked: { [K in N]?: string } = {};
  for (const name of names) {
    const value = textOf(search, name);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
