/**
 * The fields of an answer and their types, as the specification words them. A type that ends in `?` may be null, but
 * its field must be there. A list with one shape is a list of such rows.
 */
export type Shape = { [field: string]: string | Shape | readonly (string | Shape)[] };

const isText = (value: unknown): value is string => typeof value === 'string';
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: (value) => value !== undefined,
  int: Number.isInteger,
  number: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  string: isText,
  date: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value),
  // ISO 8601 without a zone.
  timestamp: (value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(value),
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const describe = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 60);

/** What an answer lacks of a shape: `items[0].id is missing, not int`; empty if nothing. */
export function lacks(shape: Shape | readonly Shape[], value: unknown, at: string = ''): string[] {
  if (isList(shape)) return lacksOf(shape, value, at || 'the body');
  if (TYPES['object']?.(value) !== true) return [`${at || 'the body'} is ${describe(value)}, not an object`];
  return Object.entries(shape).flatMap(([field, type]) =>
    lacksOf(type, (value as Record<string, unknown>)[field], at === '' ? field : `${at}.${field}`),
  );
}

const isList = <T>(type: T | readonly T[]): type is readonly T[] => Array.isArray(type);

function lacksOf(type: string | Shape | readonly (string | Shape)[], value: unknown, at: string): string[] {
  if (isList(type)) {
    if (!Array.isArray(value)) return [`${at} is ${describe(value)}, not a list`];
    return value.flatMap((row, index) => type.flatMap((one) => lacksOf(one, row, `${at}[${index}]`)));
  }
  if (typeof type !== 'string') return lacks(type, value, at);
  // `a|b` and `=a`: one of these words.
  if (type.startsWith('=')) return value === type.slice(1) ? [] : [`${at} is ${describe(value)}: ${type}`];
  if (type.includes('|'))
    return type.split('|').includes(String(value)) ? [] : [`${at} is ${describe(value)}: ${type}`];
  const mayBeNull = type.endsWith('?');
  if (mayBeNull && value === null) return [];
  const fits = TYPES[mayBeNull ? type.slice(0, -1) : type];
  if (!fits) throw new Error(`no type ${type}`);
  return fits(value) ? [] : [`${at} is ${describe(value)}, not ${type}`];
}
