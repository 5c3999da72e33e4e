import { z } from 'zod';
import { fillIn, type AnyErrorParams } from './error-text.ts';
import { FIELD_ERRORS } from './field-error-codes.ts';

export type FieldErrorCode = keyof typeof FIELD_ERRORS;

/** A code whose text has no parameters. */
type PlainFieldErrorCode = {
  [Code in FieldErrorCode]: (typeof FIELD_ERRORS)[Code] extends `${string}{{${string}` ? never : Code;
}[FieldErrorCode];

/** What a refinement of a schema reports; `fieldErrorOf` reads it. */
export const refusal = (code: PlainFieldErrorCode) => ({ error: FIELD_ERRORS[code], params: { code } });

/** A text of the form `pattern`; any other text is refused with `code`. The API description contains the pattern. */
export const patternText = (pattern: RegExp, code: PlainFieldErrorCode, schema: z.ZodString = z.string()) =>
  schema.refine((text) => pattern.test(text), refusal(code)).meta({ pattern: pattern.source });

/** A field that was refused: `path` begins with `params`, `query` or `body`; `message` is the English text of `code`. */
export const fieldError = z.object({
  path: z.string(),
  code: z.enum(Object.keys(FIELD_ERRORS) as [FieldErrorCode, ...FieldErrorCode[]]),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  message: z.string(),
});
export type FieldError = z.output<typeof fieldError>;

type Problem = { code: FieldErrorCode; params?: AnyErrorParams };

const SIZE_CODES = {
  string: { too_small: 'field.too_short', too_big: 'field.too_long' },
  list: { too_small: 'field.too_few', too_big: 'field.too_many' },
  number: { too_small: 'field.too_small', too_big: 'field.too_large' },
} as const;

function kindOfSize(origin: string): keyof typeof SIZE_CODES {
  if (origin === 'string') return 'string';
  return origin === 'array' || origin === 'set' || origin === 'map' || origin === 'file' ? 'list' : 'number';
}

/** Whether the refused value is missing or an empty text. */
function isEmpty(path: readonly PropertyKey[], input: unknown): boolean {
  const value = path.reduce<unknown>(
    (parent, key) => (typeof parent === 'object' && parent !== null ? (parent as never)[key] : undefined),
    input,
  );
  return value === undefined || value === '';
}

function problemOf(issue: z.core.$ZodIssue, input: unknown): Problem {
  if (issue.code === 'custom') {
    const { code } = (issue.params ?? {}) as { code?: FieldErrorCode };
    return { code: code ?? 'field.invalid' };
  }
  if (issue.code === 'unrecognized_keys') return { code: 'field.unknown', params: { names: issue.keys.join(', ') } };
  if (isEmpty(issue.path, input)) return { code: 'field.required' };
  switch (issue.code) {
    case 'too_small':
      return { code: SIZE_CODES[kindOfSize(issue.origin)].too_small, params: { min: Number(issue.minimum) } };
    case 'too_big':
      return { code: SIZE_CODES[kindOfSize(issue.origin)].too_big, params: { max: Number(issue.maximum) } };
    case 'invalid_type':
      return { code: 'field.wrong_type', params: { type: issue.expected } };
    case 'invalid_value':
      return { code: 'field.not_a_choice', params: { values: issue.values.map(String).join(', ') } };
    case 'invalid_format':
      return { code: issue.format === 'date' ? 'field.not_a_date' : 'field.invalid' };
    default:
      return { code: 'field.invalid' };
  }
}

/** A refused field as the API sends it. */
export const makeFieldError = (path: string, code: FieldErrorCode, params?: AnyErrorParams): FieldError => ({
  path,
  code,
  ...(params && { params }),
  message: fillIn(FIELD_ERRORS[code], params ?? {}),
});

/**
 * One issue of a schema as the API sends it.
 * @param input what the schema refused
 */
export function fieldErrorOf(issue: z.core.$ZodIssue, where: 'params' | 'query' | 'body', input: unknown): FieldError {
  const { code: found, params } = problemOf(issue, input);
  const code = where === 'query' && found === 'field.unknown' ? 'field.unknown_parameter' : found;
  return makeFieldError([where, ...issue.path].map(String).join('.'), code, params);
}
