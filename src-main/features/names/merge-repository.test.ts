import { expect, it } from 'vitest';
import { openTestVault } from '../../../test/support/vault.ts';
import { createMergeRepository } from './merge-repository.ts';

it('keeps merges until the time for undoing them is over, each with what undoing needs', () => {
  const vault = openTestVault();
  const merges = createMergeRepository(vault.db);
  const merge = {
    ...{
      kind: 'lab_tests' as const,
      target_id: 2,
      target_created: true,
      sources: { entries: [], filled: { unit: 'g' } },
    },
    ...{ aliases: [{ alias_id: 5, entry_id: null }], moved: [], user_id: null, undone_at: null },
  };
  const [old, young] = ['2026-01-01T08:00:00', '2026-03-01T08:00:00'].map((created_at) =>
    merges.insert({ ...merge, created_at }),
  );
  expect(merges.latest('lab_tests')).toEqual([young, old]);
  expect(merges.latest('doctors')).toEqual([]);
  merges.markUndone(young!.id, '2026-03-02T08:00:00');
  merges.removeBefore('2026-02-01T08:00:00');
  expect(merges.get('lab_tests', old!.id)).toBeUndefined();
  expect(merges.get('lab_tests', young!.id)).toEqual({ ...young, undone_at: '2026-03-02T08:00:00' });
  vault.close();
});
