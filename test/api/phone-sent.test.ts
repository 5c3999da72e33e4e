import { expect, it } from 'vitest';
import type { Household } from '../support/household.ts';
import { test } from '../support/fixtures.ts';

let house: Household;
test.beforeAll(async ({ household }) => {
  house = household;
});

const BACKUP = 'a folder that only a page reads',
  FILE = 'a'.repeat(40),
  OTHER_FILE = 'b'.repeat(40);
const sent = async (
  name: 'owner' | 'viewer' | 'other' | 'admin',
  backup = BACKUP,
): Promise<{ file_id: string; document_id: number }[]> =>
  (await house.as(name).get(`/api/phone-service/sent?backup_id=${encodeURIComponent(backup)}`)).body.items;
const note = (name: 'owner' | 'viewer', file_id: string, document_id: number) =>
  house.as(name).post('/api/phone-service/sent', { backup_id: BACKUP, file_id, document_id });

it('files of a backup are marked as documents for users who may see these documents', async () => {
  const [first, second] = [house.make.document(), house.make.document()];
  expect((await note('owner', FILE, first)).status).toBe(204);
  expect((await note('owner', OTHER_FILE, first)).status).toBe(204);
  expect(await sent('owner')).toEqual([
    { file_id: FILE, document_id: first },
    { file_id: OTHER_FILE, document_id: first },
  ]);
  expect(await sent('viewer')).toHaveLength(2);
  expect([await sent('other'), await sent('admin'), await sent('owner', 'another folder')]).toEqual([[], [], []]);
  // The same file again is what it became last.
  await note('owner', FILE, second);
  expect(await sent('owner')).toEqual([
    { file_id: FILE, document_id: second },
    { file_id: OTHER_FILE, document_id: first },
  ]);
  expect((await note('viewer', FILE, first)).status).toBe(403);
  expect((await note('owner', FILE, 999_999)).status).toBe(404);
});

it('a deleted document is not recognized until it is restored', async () => {
  const id = house.make.document();
  await note('owner', 'c'.repeat(40), id);
  const { body } = await house.as('owner').call('DELETE', `/api/documents/${id}`);
  expect((await sent('owner')).map(({ document_id: known }) => known)).not.toContain(id);
  expect((await house.as('owner').post(`/api/trash/${body.trash_id}/restore`)).status).toBe(200);
  expect((await sent('owner')).map(({ document_id: known }) => known)).toContain(id);
});
