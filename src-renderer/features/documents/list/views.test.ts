import { describe, expect, it } from 'vitest';
import { viewsFrom, withView } from './views.ts';

describe('saved views', () => {
  it('store filters and order, but neither patient nor preview', () => {
    expect(withView([], 'Labs', { patient: '2', type: 'lab_test', sort: 'doctor', preview: '7' })).toEqual([
      { name: 'Labs', search: { type: 'lab_test', sort: 'doctor' } },
    ]);
  });
  it('are replaced by name and sorted by name', () => {
    const views = withView(withView(withView([], 'Labs', { type: 'lab_test' }), 'Bills', { type: 'invoice' }), 'Labs', {
      q: 'iron',
    });
    expect(views).toEqual([
      { name: 'Bills', search: { type: 'invoice' } },
      { name: 'Labs', search: { q: 'iron' } },
    ]);
  });
  it('are restored as saved', () => {
    const views = withView([], 'Iron', { q: '"serum iron"' });
    expect(viewsFrom(JSON.stringify(views))).toEqual(views);
  });
  it('are empty if invalid data was stored', () => {
    for (const text of [
      null,
      '',
      '{',
      '7',
      '{"name":"x"}',
      '[null,{"name":"x"},{"name":1,"search":{}},{"name":"x","search":{"q":1}}]',
    ])
      expect(viewsFrom(text)).toEqual([]);
  });
});
