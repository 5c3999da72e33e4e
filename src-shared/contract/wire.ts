import { patternText, refusal } from './field-errors.ts';
import { z } from 'zod';

/** Row ids are positive integers that a JavaScript number represents exactly. */
export const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
/** An id inside a path or query, where everything is text. */
export const idText = patternText(/^[1-9]\d{0,15}$/, 'field.not_an_id')
  .transform(Number)
  .pipe(z.int().max(Number.MAX_SAFE_INTEGER));
export const idParams = z.object({ id: idText });

/** A civil date, `YYYY-MM-DD`, that exists in the calendar; never converted between time zones. */
export const civilDate = z.iso.date();
/** UTC to the second without a zone, `2026-11-21T08:30:00`. */
export const timestamp = z.iso.datetime({ local: true, offset: false, precision: 0 });

export const role = z.enum(['admin', 'editor', 'viewer']);
export const grantRole = z.enum(['owner', 'viewer']);

/** A whole number in a query. */
export const wholeText = (min: number, max: number) =>
  patternText(/^-?\d{1,16}$/, 'field.not_a_whole_number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** A number in a query, with a decimal point. */
export const numberText = (min: number, max: number) =>
  patternText(/^-?\d{1,12}(\.\d{1,12})?$/, 'field.not_a_number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** Yes or no in a query; no if it is missing. */
export const flagText = z
  .enum(['true', 'false', '1', '0'])
  .default('false')
  .transform((text) => text === 'true' || text === '1');

/** `a,b,c` in a query; the sentinel `__blank__` means "has none". */
export const listText = z
  .string()
  .max(4000)
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

export const order = z.enum(['asc', 'desc']);

/** Free text typed by a user: no control characters but line breaks and tabs, and no lone surrogates. */
export const freeText = (max: number) =>
  z
    .string()
    .max(max)
    .refine(
      (text) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Cs}/u.test(text),
      refusal('field.control_characters'),
    );
/** Invisible characters that make two names look alike: zero-width marks and bidirectional controls. */
const INVISIBLE = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;
/** `text` without characters that nobody sees. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');
/** Free text without invisible characters. */
export const shownText = (max: number) => freeText(max).transform(withoutInvisible);
/** A name that is not empty. */
export const nameText = shownText(200)
  .transform((text) => text.trim())
  .refine((text) => text.length > 0, refusal('field.required'));

/** The sign before a printed value: `< 0.3` is any value below 0.3. */
export const comparator = z.enum(['<', '>', '≤', '≥']);
export type Comparator = z.output<typeof comparator>;
