import { expect, test } from 'vitest';
import { z } from 'zod';
import { declaredFieldsOf } from './reply-fields.ts';

const row = z.object({ id: z.int(), name: z.string().nullable(), note: z.string().optional() });

test('a reply has only the fields that its schema declares, at every depth', () => {
  const copy = declaredFieldsOf(
    z.object({
      items: z.array(row),
      first: row.nullable(),
      byName: z.record(z.string(), row),
      place: z.tuple([z.number(), z.number()]),
      total: z.int(),
    }),
  );
  const own = { id: 1, name: null };
  const leaking = { ...own, password_hash: 'x' };
  expect(
    copy({ items: [leaking], first: leaking, byName: { a: leaking }, place: [1, 2], total: 1, secret: 'y' }),
  ).toEqual({ items: [own], first: own, byName: { a: own }, place: [1, 2], total: 1 });
});

test('absent and null values stay what they are', () => {
  const copy = declaredFieldsOf(z.object({ first: row.nullable(), second: row.optional(), flag: z.boolean() }));
  expect(copy({ first: null, second: undefined, flag: false })).toEqual({ first: null, flag: false });
});

test('parts that a schema transforms or decides by their value are parsed', () => {
  const copy = declaredFieldsOf(
    z.object({
      size: z.int().transform((bytes) => `${bytes} B`),
      shape: z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
    }),
  );
  expect(copy({ size: 3, shape: { b: 1, c: 2 } })).toEqual({ size: '3 B', shape: { b: 1 } });
  expect(() => copy({ size: 3, shape: { c: 2 } })).toThrow(z.ZodError);
});

test('a schema that contains itself is copied to its depth', () => {
  const folder = z.object({
    name: z.string(),
    get folders() {
      return z.array(folder);
    },
  });
  const leaf = { name: 'b', folders: [], path: '/home' };
  expect(declaredFieldsOf(folder)({ name: 'a', folders: [leaf] })).toEqual({
    name: 'a',
    folders: [{ name: 'b', folders: [] }],
  });
});

test('the object of a handler stays as it is, and one with declared fields only is not copied', () => {
  const copy = declaredFieldsOf(z.object({ items: z.array(row), first: row }));
  const exact = { items: [{ id: 1, name: null }], first: { id: 2, name: 'b' } };
  expect(copy(exact)).toBe(exact);
  const leaking = { items: [{ id: 1, name: null, secret: 'y' }], first: { id: 2, name: 'b' } };
  const before = structuredClone(leaking);
  expect(copy(leaking)).toEqual({ items: [{ id: 1, name: null }], first: { id: 2, name: 'b' } });
  expect(leaking).toEqual(before);
});
