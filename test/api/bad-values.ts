/** Values that break a careless server, by what they are sent as. */

const LONG = 'x'.repeat(200_001);
const SQL = "' OR 1=1; DROP TABLE documents; --";
const HTML = '<script>alert(1)</script>';

/** In place of one field of a JSON body. */
export const BAD_FIELDS: readonly unknown[] = [
  null,
  {},
  [],
  [null],
  '',
  'text',
  SQL,
  HTML,
  '\u0000',
  '\u202etxt',
  '\ud800',
  LONG,
  '2025-02-30',
  '0001-01-01',
  '9999-12-31',
  '../../etc/passwd',
  true,
  0,
  -1,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  { $gt: '' },
  ['x'.repeat(5000)],
  Array.from({ length: 20_000 }, () => 1),
];

/** Values to send as the whole JSON body; `BROKEN_BODIES` has those that are not JSON. */
export const BAD_BODIES: readonly unknown[] = [null, [], [[]], 42, true, 'text', { surprise: 1 }];

/** Raw request bodies with their content type; none can be read. */
export const BROKEN_BODIES: readonly [name: string, type: string, text: string][] = [
  ['half an object', 'application/json', '{"a":'],
  ['two values', 'application/json', '{} {}'],
  ['a bare word', 'application/json', 'undefined'],
  ['another character set', 'application/json; charset=latin1', '{}'],
];

/** Written as text into one segment of the path. */
export const BAD_SEGMENTS: readonly string[] = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '007',
  'abc',
  'NaN',
  '99999999999999999999',
  String(Number.MAX_SAFE_INTEGER),
  encodeURIComponent(SQL),
  encodeURIComponent(HTML),
  '%00',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%E2%80%AE1',
  '%ff',
  '%',
  'x'.repeat(4000),
];

/** Values of one field of the query, and of a field that is not declared. */
export const BAD_QUERY: readonly string[] = [
  '',
  '0',
  '-1',
  '1.5',
  'abc',
  'null',
  '99999999999999999999',
  SQL,
  HTML,
  '\u0000',
  '2025-02-30',
  'a,b,,c',
  '"',
  'x'.repeat(5000),
];
