import { NO_QUERY, type Endpoint } from '../../../src-shared/contract/endpoint.ts';
import { fieldErrorOf, makeFieldError } from '../../../src-shared/contract/field-errors.ts';
import { Failure } from '../kernel/errors.ts';

/** The parts of a multipart form other than its file, as `[name, value]` in their order; of a further file its name. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/**
 * The query of an upload completed by the fields of its form, which have the same names. As in a query, an empty value
 * counts as missing.
 * @param query the parsed query, which has a default for what was not given
 * @param given the query as it was sent
 * @throws `request.invalid` for an unknown field, an invalid value, a second file, and a field with two values
 */
export function completeQuery(
  { query: schema = NO_QUERY, file }: Pick<Endpoint, 'query' | 'file'>,
  query: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
  fields: FormFields,
): Record<string, unknown> {
  const sent = fields.filter(([name, value]) => name !== file && (value !== '' || !Object.hasOwn(schema.shape, name)));
  const form = Object.fromEntries(sent);
  const parsed = schema.safeParse(form);
  if (!parsed.success)
    throw new Failure('request.invalid', {
      issues: parsed.error.issues.map((issue) => fieldErrorOf(issue, 'body', form)),
    });
  const values = Object.fromEntries(Object.entries(parsed.data).filter(([name]) => Object.hasOwn(form, name)));
  const isInQuery = (name: string): boolean => Object.hasOwn(given, name) && given[name] !== '';
  const contradictions = new Set([
    ...fields.filter(([name]) => name === file).map(([name]) => name),
    ...sent.filter(([name, value]) => value !== form[name]).map(([name]) => name),
    ...Object.keys(form).filter((name) => isInQuery(name) && query[name] !== values[name]),
  ]);
  if (contradictions.size > 0)
    throw new Failure('request.invalid', {
      issues: [...contradictions].map((name) => makeFieldError(`body.${name}`, 'field.given_twice')),
    });
  return { ...query, ...values };
}
