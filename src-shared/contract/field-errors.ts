import { z } from 'zod';
import { fillIn, type AnyErrorParams } from './error-text.ts';

/** What can be wrong with one field of a request, in English; each language has its own text for a code. */
const FIELD_ERRORS = {
  'field.required': 'Enter a value.',
  'field.wrong_type': 'This must be of the type {{type}}.',
  'field.too_short': 'Use at least {{min}} characters.',
  'field.too_long': 'Use at most {{max}} characters.',
  'field.too_few': 'Give at least {{min}} values.',
  'field.too_many': 'Give at most {{max}} values.',
  'field.too_small': 'Enter at least {{min}}.',
  'field.too_large': 'Enter at most {{max}}.',
  'field.not_a_date': 'Enter a valid date as year, month and day, such as 2026-11-23.',
  'field.not_a_time': 'Enter a time of day such as 03:30.',
  'field.not_an_id': 'Enter a positive whole number.',
  'field.not_a_whole_number': 'Enter a whole number.',
  'field.not_a_color': 'Enter a colour such as #0b7285.',
  'field.not_a_view_key': 'Use 1 to 64 of the letters a–z, digits and . _ -',
  'field.not_a_column_name': 'Use 1 to 64 of the letters a–z and A–Z, digits and . _ -',
  'field.not_language_codes': 'Enter auto, or language codes such as de+en.',
  'field.not_a_choice': 'Use one of these values: {{values}}.',
  'field.unknown': 'There is no field named {{names}}.',
  'field.control_characters': 'Remove the control characters.',
  'field.not_service_address':
    'Enter an address that begins with https://. Only this computer and your home network may use http://.',
  'field.not_secure_address': 'Enter an address that begins with https://. Only this computer may use http://.',
  'field.not_claim_name': 'Use only letters, digits and . : / _ -',
  'field.not_scopes': 'Separate the scopes by single spaces.',
  'field.openid_scope_missing': 'Add the scope openid.',
  'field.guessable': 'Choose a password that is harder to guess.',
  'field.one_target': 'Give either target_id or new_target.',
  'field.invalid': 'Enter a valid value.',
} as const satisfies Record<string, string>;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;

/** The English text of every code, for the English message catalog. */
export const FIELD_ERROR_TEXTS: Readonly<Record<FieldErrorCode, string>> = FIELD_ERRORS;

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
  const { code, params } = problemOf(issue, input);
  return makeFieldError([where, ...issue.path].map(String).join('.'), code, params);
}
