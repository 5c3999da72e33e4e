import { z } from 'zod';
import { ERRORS } from './error-codes.ts';
import { fillIn } from './error-text.ts';
import { fieldError } from './field-errors.ts';

export { ERRORS };

export type ErrorCode = keyof typeof ERRORS;

type NamesIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
/** The names of a code's parameters, which its text contains. */
type ParamName<Code extends ErrorCode> = NamesIn<(typeof ERRORS)[Code]['detail']>;
/** The parameters of a code: `{ page: 3 }` for `document.page_not_found`. */
export type ErrorParams<Code extends ErrorCode> = Readonly<Record<ParamName<Code>, string | number>>;
/** A code whose text has no parameters. */
export type PlainErrorCode = { [Code in ErrorCode]: [ParamName<Code>] extends [never] ? Code : never }[ErrorCode];

/** A failure as it is stored and sent inside a reply: each language has its own text for the code. */
export const errorReference = z.object({
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type ErrorReference = z.output<typeof errorReference>;

/** The English text of a stored failure. */
export const textOfError = ({ code, params = {} }: ErrorReference): string => fillIn(ERRORS[code].detail, params);

/** A failure as the API sends it: `detail` is the English text with its parameters filled in. */
export const errorBody = z.object({
  detail: z.string(),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  issues: z.array(fieldError).optional(),
});
export type ErrorBody = z.output<typeof errorBody>;
