import { expect, it } from 'vitest';
import { z } from 'zod';
import { Failure } from '../kernel/errors.ts';
import { completeQuery, type FormFields } from './form-fields.ts';

const endpoint = {
  file: 'file',
  query: z.object({ address: z.string().optional(), code: z.string().regex(/^\d*$/).default('') }),
} as const;
/** As the router calls it: the parsed query has the defaults. */
const complete = (given: Record<string, string>, fields: FormFields): unknown =>
  completeQuery(endpoint, endpoint.query.parse(given), given, fields);
const issuesOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return (error.issues ?? []).map(({ path, code }) => `${path}: ${code}`);
  }
};

it('takes a field of the form for which the query has a default only', () => {
  expect(complete({}, [['code', '123456']])).toEqual({ code: '123456' });
  expect(complete({ address: 'ticker' }, [['code', '123456']])).toEqual({ address: 'ticker', code: '123456' });
});

it('keeps what the query gave where the form says nothing, or the same', () => {
  expect(complete({ code: '123456' }, [['address', 'ticker']])).toEqual({ address: 'ticker', code: '123456' });
  expect(complete({ code: '1' }, [['code', '1']])).toEqual({ code: '1' });
  expect(complete({ code: '1' }, [['code', '']])).toEqual({ code: '1' });
});

it('refuses two values for a field, a second file and what the endpoint does not have', () => {
  const twice = ['body.code: field.given_twice'];
  expect(issuesOf(() => complete({ code: '1' }, [['code', '2']]))).toEqual(twice);
  expect(
    issuesOf(() =>
      complete({}, [
        ['code', '1'],
        ['code', '2'],
      ]),
    ),
  ).toEqual(twice);
  expect(issuesOf(() => complete({}, [['file', 'second.pdf']]))).toEqual(['body.file: field.given_twice']);
  expect(issuesOf(() => complete({}, [['code', 'a']]))).toHaveLength(1);
});
