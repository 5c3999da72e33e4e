import { describe, expect, it } from 'vitest';
import { keepJson, toJson } from './kept-json.ts';

const TEXTS = ['', 'Ann', 'Grüße', '≥ 5,0', '"\\\n\u2028', '\ud800', '👩‍⚕️'];
const rows = TEXTS.map((name, id) => ({ id, name, list: [id, null, { name }], missing: undefined, value: id / 3 }));

describe('the JSON of replies', () => {
  it('is that of JSON.stringify, with and without kept values in any place', () => {
    const shared = rows.map((row) => keepJson({ ...row }));
    const replies = [
      {},
      [],
      rows,
      shared,
      [...shared, ...rows],
      { items: [], total: 0 },
      { items: rows, total: 7, next: undefined, more: null },
      { items: shared, total: 7, next: undefined, more: null, 'a "name"': 'Grüße' },
      { first: undefined, items: [...shared.slice(2), ...rows], latest: shared[1], groups: [shared, rows] },
      { items: [shared[0], undefined, null, Number.NaN, new Date(0)] },
      shared[3]!,
      { at: new Date(0), deep: { items: shared } },
    ];
    for (const reply of [...replies, ...replies]) expect(toJson(reply).toString()).toBe(JSON.stringify(reply));
  });

  it('is made once for a kept value, which nobody can change', () => {
    let reads = 0;
    const row = keepJson({
      get name() {
        reads += 1;
        return 'Ann';
      },
    });
    expect([1, 2, 3].map(() => toJson({ items: [row, row] }).toString())).toEqual(
      Array(3).fill('{"items":[{"name":"Ann"},{"name":"Ann"}]}'),
    );
    expect(reads).toBe(1);
    expect(() => Object.assign(row, { age: 7 })).toThrow(TypeError);
  });
});
