import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { VaultEntry } from '../../src-shared/contract/vault-files.ts';
import { describe, expect, it } from 'vitest';
import type { Household } from '../support/household.ts';
import type { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { itWith } from '../support/requirements.ts';
import type { Served } from '../support/serve.ts';

let served: Served, house: Household, owner: Client;

const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(async ({ served: core, household }) => {
  served = core;
  house = household;
  owner = house.as('owner');
});

const HOME = 'patients/elena-1';

const onDisk = (path: string): boolean => existsSync(join(served.vault, path));

const put = (path: string, content: string): void => {
  mkdirSync(dirname(join(served.vault, path)), { recursive: true });
  writeFileSync(join(served.vault, path), content);
};

/** A document of the patient at this path, with a row and a file. */
function document(path: string, { patient = house.patient, uploader = null as number | null } = {}): number {
  const id = house.make.document({ file: false, patient, uploader });
  put(path, `content of ${path}`);
  house.db
    .prepare('UPDATE documents SET file_path = ?, file_size = ?, file_hash = ? WHERE id = ?')
    .run(path, `content of ${path}`.length, createHash('sha256').update(`content of ${path}`).digest('hex'), id);
  return id;
}

const move = (from: string, to: string, as = owner) => as.post('/api/vault/move', { from_path: from, to_path: to });

const remove = (path: string, as = owner) => as.call('DELETE', `/api/vault/file?path=${encodeURIComponent(path)}`);

const tree = async (query = '', as = owner): Promise<VaultEntry> =>
  (await as.get(`/api/vault/tree${query}`)).body as VaultEntry;

const flat = (entry: VaultEntry): VaultEntry[] => [entry, ...entry.children.flatMap(flat)];

const at = (entry: VaultEntry, path: string): VaultEntry | undefined =>
  flat(entry).find((found) => found.path === path);

describe('the tree of the vault', () => {
  it('shows files that the caller may see, with sizes, and files without a document', async () => {
    const id = document(`${HOME}/tree/2021/a.pdf`);
    put(`${HOME}/tree/2021/stray.txt`, '12345');
    put('patients/marco-bianchi/2020/his.pdf', 'secret');
    const root = await tree();
    expect(root.children.map((child) => child.path)).toEqual(['inbox', 'patients', 'unclassified']);
    expect(at(root, `${HOME}/tree/2021/a.pdf`)).toMatchObject({
      type: 'file',
      state: 'document',
      document_id: id,
      writable: true,
    });
    expect(at(root, `${HOME}/tree/2021/stray.txt`)).toMatchObject({ state: 'foreign', size: 5, document_id: null });
    expect(at(root, `${HOME}/tree`)).toMatchObject({
      type: 'dir',
      files: 2,
      foreign: 1,
      size: 5 + `content of ${HOME}/tree/2021/a.pdf`.length,
      more: false,
    });
    expect(at(root, 'patients/marco-bianchi')).toBeUndefined();
    expect(at(await tree('', house.as('other')), 'patients/marco-bianchi/2020/his.pdf')).toBeDefined();
    expect(at(await tree('', house.as('viewer')), `${HOME}/tree/2021/a.pdf`)?.writable).toBe(false);
    expect(at(await tree('', house.as('admin')), HOME)).toBeUndefined();
  });

  it('counts closed folders the same as open ones, whatever changes in the database or on the disk', async () => {
    const home = `${HOME}/counted`;
    const ids = ['2019/a', '2019/b', '2020/rehab/c', 'unsorted'].map((name) => document(`${home}/${name}.pdf`));
    put('inbox/waiting.pdf', 'waits');
    // Folders that changed long ago are kept as they were seen; these here are made to look so.
    const age = (): void => {
      for (const folder of ['', ...readdirSync(join(served.vault, home), { recursive: true, encoding: 'utf8' })])
        if (statSync(join(served.vault, home, folder)).isDirectory())
          utimesSync(join(served.vault, home, folder), 1e9, 1e9);
    };
    const counts = (entry: VaultEntry | undefined) =>
      entry && [entry.path, entry.files, entry.size, entry.foreign, entry.writable];
    const compare = async (what: string): Promise<void> => {
      for (const as of [owner, house.as('viewer'), house.as('other'), house.as('admin')]) {
        const whole = await tree('', as);
        for (const path of ['', HOME, home, `${home}/2019`, `${home}/2020`]) {
          const deep = path === '' ? whole : at(whole, path);
          const { status, body } = await as.get(`/api/vault/tree?depth=1${path && `&path=${path}`}`);
          expect(
            [what, path, status === 200 ? counts(body) : undefined, body.children?.map(counts)],
            `${what} ${path}`,
          ).toEqual([what, path, counts(deep), deep?.children.map(counts)]);
        }
      }
    };
    await compare('as it is');
    age();
    await compare('long after');
    const steps: Record<string, () => unknown> = {
      'a foreign file comes': () => put(`${home}/2019/stray.txt`, '12345'),
      'it grows': () => put(`${home}/2019/stray.txt`, '1234567890'),
      'a file goes': () => rmSync(join(served.vault, home, '2019/a.pdf')),
      'a document is deleted': () => owner.call('DELETE', `/api/documents/${ids[1]}`),
      'a folder moves': () => move(`${home}/2020/rehab`, `${home}/2019/rehab`),
      'a person puts a folder there': () => put(`${home}/new/deep/x.bin`, 'x'),
      'a row says another size': () => house.db.prepare('UPDATE documents SET file_size = 77 WHERE id = ?').run(ids[3]),
      'a document goes to another patient': () =>
        house.db.prepare('UPDATE documents SET patient_id = ? WHERE id = ?').run(house.otherPatient, ids[2]),
      'a folder goes': () => rmSync(join(served.vault, home, 'new'), { recursive: true }),
    };
    for (const [what, step] of Object.entries(steps)) {
      await step();
      await compare(what);
      age();
      await compare(`long after ${what}`);
    }
  });

  it('sends the requested number of levels, or a single folder', async () => {
    document(`${HOME}/deep/2021/a.pdf`);
    const one = await tree(`?path=${HOME}/deep&depth=1`);
    expect(one).toMatchObject({ path: `${HOME}/deep`, files: 1, more: false });
    expect(one.children).toMatchObject([{ path: `${HOME}/deep/2021`, more: true, children: [], files: 1 }]);
  });

  itWith({ symlinks: true }, 'follows no symbolic link out of the vault', async () => {
    put(`${HOME}/links/a.txt`, 'a');
    symlinkSync('/etc', join(served.vault, HOME, 'links/out'));
    symlinkSync('/etc/hostname', join(served.vault, HOME, 'links/name.pdf'));
    for (const query of [`?path=${HOME}/links`, `?path=${HOME}&depth=1`, ''])
      expect(JSON.stringify(await tree(query))).not.toMatch(/links\/(out|name)/);
    expect(await tree(`?path=${HOME}/links`)).toMatchObject({ files: 1, children: [{ name: 'a.txt' }] });
    for (const path of [
      '..',
      'patients/../../etc',
      '/etc',
      `${HOME}/links/out`,
      `${HOME}/links/out/passwd`,
      'vault.db',
      'trash',
      'cache',
      'C:\\Windows',
    ]) {
      expect((await owner.get(`/api/vault/tree?path=${encodeURIComponent(path)}`)).status, path).toBeGreaterThanOrEqual(
        400,
      );
      expect((await move(path, `${HOME}/x`)).status, path).toBeGreaterThanOrEqual(400);
      expect((await move(`${HOME}/links/a.txt`, path)).status, path).toBeGreaterThanOrEqual(400);
      expect((await remove(path)).status, path).toBeGreaterThanOrEqual(400);
    }
    expect((await move(`${HOME}/links/a.txt`, '../../outside.txt')).body.code).toBe('vault.path_outside');
    expect(onDisk(`${HOME}/links/a.txt`)).toBe(true);
  });

  it('hides folders that the caller may not see', async () => {
    expect((await owner.get('/api/vault/tree?path=patients/marco-bianchi')).body.code).toBe('vault.path_not_found');
    expect((await owner.get('/api/vault/tree?path=patients/nobody')).body.code).toBe('vault.path_not_found');
  });
});
