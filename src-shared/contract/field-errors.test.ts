import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldErrorOf } from './field-errors.ts';
import { civilDate, freeText, idText, nameText, wholeText } from './wire.ts';

const body = z.strictObject({
  name: nameText.optional(),
  note: freeText(5).optional(),
  date: civilDate.optional(),
  page: wholeText(1, 9).optional(),
  id: idText.optional(),
  size: z.int().min(2).max(4).optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  kind: z.enum(['a', 'b']).optional(),
  code: z.string().min(2).optional(),
  odd: z.number().multipleOf(2).optional(),
  needed: z.string(),
});

function errorsOf(input: object): string[] {
  const { error } = body.safeParse({ needed: 'x', ...input });
  const errors = (error?.issues ?? []).map((issue) => fieldErrorOf(issue, 'body', { needed: 'x', ...input }));
  return errors.map(({ path, code, message }) => `${path} ${code} ${message}`);
}

test.each([
  [{ name: ' ' }, 'body.name field.required Enter a value.'],
  [{ name: 'x'.repeat(201) }, 'body.name field.too_long Use at most 200 characters.'],
  [{ note: '\u0007' }, 'body.note field.control_characters Remove the control characters.'],
  [{ note: 5 }, 'body.note field.wrong_type This must be of the type string.'],
  [{ date: '31.12.2026' }, 'body.date field.not_a_date Enter a valid date as year, month and day, such as 2026-11-23.'],
  [{ date: '' }, 'body.date field.required Enter a value.'],
  [{ page: 'x' }, 'body.page field.not_a_whole_number Enter a whole number.'],
  [{ page: '12' }, 'body.page field.too_large Enter at most 9.'],
  [{ id: 'abc' }, 'body.id field.not_an_id Enter a positive whole number.'],
  [{ size: 1 }, 'body.size field.too_small Enter at least 2.'],
  [{ size: 5 }, 'body.size field.too_large Enter at most 4.'],
  [{ list: [] }, 'body.list field.too_few Give at least 1 values.'],
  [{ list: ['a', 'b', 'c'] }, 'body.list field.too_many Give at most 2 values.'],
  [{ list: ['a', 5] }, 'body.list.1 field.wrong_type This must be of the type string.'],
  [{ kind: 'c' }, 'body.kind field.not_a_choice Use one of these values: a, b.'],
  [{ code: 'x' }, 'body.code field.too_short Use at least 2 characters.'],
  [{ odd: 3 }, 'body.odd field.invalid Enter a valid value.'],
  [{ needed: undefined }, 'body.needed field.required Enter a value.'],
  [{ extra: 1, other: 2 }, 'body field.unknown There is no field named extra, other.'],
])('names what is wrong with %j', (input, expected) => {
  expect(errorsOf(input)).toEqual([expected]);
});

test('describes the pattern of a text to callers of the API', () => {
  expect(z.toJSONSchema(idText, { io: 'input' })).toMatchObject({ type: 'string', pattern: '^[1-9]\\d{0,15}$' });
});
