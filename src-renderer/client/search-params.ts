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

/** Whether a parameter may have a value. */
type Check = (value: string) => boolean;

/** An id of a record. */
export const isId: Check = (value) => /^[1-9]\d{0,14}$/.test(value);

const ISO_DATE = /^\d{4}-\d\d-\d\d$/;
/** A day of the calendar, as in the API. */
export const isDay: Check = (value) =>
  ISO_DATE.test(value) && new Date(`${value}T00:00Z`).toJSON()?.startsWith(value) === true;

/** One of some words. */
export const isOneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value);

/**
 * Returns only the named parameters of an address. A value that its check refuses is ignored: it is set to undefined,
 * because the router keeps what is only left out.
 */
export function pickSearch<N extends string>(
  search: Record<string, unknown>,
  names: readonly N[],
  checks: { readonly [K in N]?: Check } = {},
): { [K in N]?: string } {
  const picked: { [K in N]?: string } = {};
  for (const name of names) {
    const value = textOf(search, name);
    if (value === undefined) continue;
    const isAllowed = checks[name]?.(value) ?? true;
    Object.assign(picked, { [name]: isAllowed ? value : undefined });
  }
  return picked;
}

/** The parameters in an address of the audit log; values that the API would refuse are ignored. */
export const pickAuditSearch = (search: Record<string, unknown>) =>
  pickSearch(search, ['action', 'user_id', 'date_from', 'date_to', 'offset'], {
    user_id: isId,
    date_from: isDay,
    date_to: isDay,
    offset: isId,
  });
