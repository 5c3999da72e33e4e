import { foldName } from '../../../../src-shared/medical/name-fold.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import type { JsonElement, JsonModel } from '../../../reading/dicom/json-model.ts';

/** What a search asks for (PS3.18, section 8.3.4). */
export interface Query {
  /** Tags from the outermost sequence inward, and the value that one of its items must have. */
  matches: { path: string[]; value: string }[];
  /** Tags that replies have beside the usual ones. */
  include: Set<string>;
  includesAll: boolean;
  isFuzzy: boolean;
  limit: number;
  offset: number;
}

const MAX_RESULTS = 10_000;
/** Other parameters of the standard, which change nothing here. */
const IGNORED = new Set(['accept', 'charset', 'emptyvaluematching', 'multiplevaluematching']);

/** Any, a date or its beginning, or a range of dates; old ones have points (PS3.4, C.2.2.2.5.1). */
const DATES = /^(\*|""|\d{4}[\d.]{0,6}|(\d{4}[\d.]{0,6})?-\d{4}[\d.]{0,6}|\d{4}[\d.]{0,6}-)?$/;

/** The tag of an attribute as a query names it; null for an unknown one. */
type TagOf = (name: string) => string | null;
/** The VR of a tag; null where it is unknown. */
type VrOf = (tag: string) => string | null;

/** @throws `dicomweb.unknown_attribute`, `dicomweb.invalid_parameter` */
export function parseQuery(search: URLSearchParams, tagOf: TagOf, vrOf: VrOf): Query {
  const query: Query = {
    matches: [],
    include: new Set(),
    includesAll: false,
    isFuzzy: isFuzzy(search),
    limit: numberIn(search, 'limit', MAX_RESULTS),
    offset: numberIn(search, 'offset', 0),
  };
  for (const [name, value] of search) {
    if (name === 'limit' || name === 'offset' || name === 'fuzzymatching' || IGNORED.has(name)) continue;
    if (name === 'includefield') include(query, value, tagOf);
    else {
      const path = pathOf(name, tagOf);
      if (vrOf(path.at(-1)!) === 'DA' && !DATES.test(value.trim())) throw invalidParameter(name.slice(0, 100), value);
      addMatch(query, path, value.trim());
    }
  }
  return query;
}

/** The error for a parameter with a value that it can’t have. */
export const invalidParameter = (name: string, value: string): Error =>
  fail('dicomweb.invalid_parameter', { name, value: value.slice(0, 40) });

/** @throws `dicomweb.invalid_parameter` */
function isFuzzy(search: URLSearchParams): boolean {
  const text = search.get('fuzzymatching')?.toLowerCase() ?? 'false';
  if (text !== 'true' && text !== 'false') throw invalidParameter('fuzzymatching', text);
  return text === 'true';
}

/** @throws `dicomweb.invalid_parameter` */
function numberIn(search: URLSearchParams, name: string, fallback: number): number {
  const text = search.get(name);
  if (text === null || text === '') return fallback;
  if (!/^\d{1,9}$/.test(text)) throw invalidParameter(name, text);
  return name === 'limit' ? Math.min(MAX_RESULTS, Number(text)) : Number(text);
}

function include(query: Query, value: string, tagOf: TagOf): void {
  for (const field of value.split(',').filter((one) => one !== ''))
    if (field === 'all') query.includesAll = true;
    else query.include.add(pathOf(field, tagOf)[0]!);
}

/** An attribute that is asked for is part of the reply. A value that every object matches adds nothing else. */
function addMatch(query: Query, path: string[], value: string): void {
  query.include.add(path[0]!);
  if (value !== '' && value !== '*' && value !== '""') query.matches.push({ path, value });
}

const pathOf = (name: string, tagOf: TagOf): string[] =>
  name.split('.').map((part) => {
    const tag = tagOf(part);
    if (tag === null) throw fail('dicomweb.unknown_attribute', { name: name.slice(0, 100) });
    return tag;
  });

/** Whether an object has the values that a search asks for. */
export const isMatch = (model: JsonModel, { matches, isFuzzy }: Query): boolean =>
  matches.every(({ path, value }) => hasValue(model, path, value, isFuzzy));

function hasValue(model: JsonModel, [tag, ...rest]: string[], value: string, isFuzzy: boolean): boolean {
  const element = model[tag!];
  if (!element) return false;
  if (rest.length > 0) return (element.Value ?? []).some((item) => hasValue(item as JsonModel, rest, value, isFuzzy));
  return matchesElement(element, value, isFuzzy);
}

function matchesElement({ vr, Value: stored = [] }: JsonElement, value: string, isFuzzy: boolean): boolean {
  if (vr === 'UI') return value.split(/[,\\]/).some((uid) => stored.includes(uid.trim()));
  if (vr === 'DA' || vr === 'TM' || vr === 'DT') return stored.some((one) => isInRange(String(one), value, vr));
  if (vr === 'PN') return stored.some((one) => matchesName(one as Record<string, string> | null, value, isFuzzy));
  if (stored.every((one) => typeof one === 'number')) return stored.includes(Number(value));
  // Codes such as modalities may be listed.
  const patterns = vr === 'CS' ? value.split(/[,\\]/) : [value];
  return patterns.some((pattern) => stored.some((one) => wildcard(pattern).test(String(one ?? ''))));
}

/** PS3.4, C.2.2.2.4: `*` is any text, `?` any character. */
const wildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .trim()
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*+/g, '[^]*')
      .replaceAll('?', '[^]')}$`,
    'iu',
  );

/** PS3.4, C.2.2.2.5: `a-b`, `a-` and `-b`. A shorter value includes all that begin with it. */
function isInRange(stored: string, value: string, vr: string): boolean {
  const plain = (text: string): string => text.replace(vr === 'DA' ? /[.\s]/g : /[:\s]/g, '');
  const [one, other] = value.split('-').map(plain);
  const own = plain(stored);
  if (other === undefined)
    return own.startsWith(one!) || (vr !== 'DA' && one!.startsWith(own) && /^[.0]*$/.test(one!.slice(own.length)));
  const isAfter = one === '' || own >= one!;
  return isAfter && (other === '' || own.slice(0, other.length) <= other);
}

/** Names are compared without case and accents; a fuzzy search finds words by their beginning, in any order. */
function matchesName(name: Record<string, string> | null, value: string, isFuzzy: boolean): boolean {
  const groups = Object.values(name ?? {});
  if (!isFuzzy) {
    const pattern = wildcard(value.normalize('NFD').replace(/\p{M}/gu, ''));
    return groups.some((group) => pattern.test(group.normalize('NFD').replace(/\p{M}/gu, '').replace(/\^+$/, '')));
  }
  const wordsOf = (text: string): string[] =>
    foldName(text.replace(/[\^*?=]/g, ' '))
      .split(' ')
      .filter(Boolean);
  const words = groups.flatMap(wordsOf);
  return wordsOf(value).every((asked) => words.some((word) => word.startsWith(asked)));
}

/** The reply for an object: the usual attributes and those that were asked for. */
export function selected(
  model: JsonModel,
  usual: readonly string[],
  { include: asked, includesAll }: Query,
): JsonModel {
  if (includesAll)
    return Object.fromEntries(Object.entries(model).filter(([, { BulkDataURI }]) => BulkDataURI === undefined));
  const tags = [...new Set([...usual, ...asked])].sort();
  return Object.fromEntries(tags.flatMap((tag) => (model[tag] ? [[tag, model[tag]]] : [])));
}
