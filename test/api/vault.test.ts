import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { VaultEntry } from '../../src-shared/contract/vault-files.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHousehold, type Household } from '../support/household.ts';
import type { Client } from '../support/client.ts';
import { serve, type Served } from '../support/serve.ts';

let served: Served, house: Household, owner: Client;
beforeAll(async () => {
  served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  house = await openHousehold(served.url, served.vault);
  owner = house.as('owner');
});
afterAll(async () => {
  house.close();
  await served.remove();
});

const HOME = 'patients/elena-1';
const onDisk = (path: string): boolean => existsSync(join(served.vault, path));
const put = (path: string, content: string): void => {
  mkdirSync(dirname(join(served.vault, path)), { recursive: true });
  writeFileSync(join(served.vault, path), content);
};
const pathOf = (id: number): string =>
  house.db.prepare('SELECT file_path FROM documents WHERE id = ?').pluck().get(id) as string;
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

describe('the tree', () => {
  it('shows what the caller may see, with sizes and what belongs to no row', async () => {
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

  it(
    'counts a folder that it does not open as it counts one that it opens, whatever changes in rows or ' +
      'on the disk',
    async () => {
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
        'a row says another size': () =>
          house.db.prepare('UPDATE documents SET file_size = 77 WHERE id = ?').run(ids[3]),
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
    },
  );

  it('sends as many levels as are asked for, and one folder alone', async () => {
    document(`${HOME}/deep/2021/a.pdf`);
    const one = await tree(`?path=${HOME}/deep&depth=1`);
    expect(one).toMatchObject({ path: `${HOME}/deep`, files: 1, more: false });
    expect(one.children).toMatchObject([{ path: `${HOME}/deep/2021`, more: true, children: [], files: 1 }]);
  });

  it('follows no link, and leaves the vault nowhere', async () => {
    put(`${HOME}/links/a.txt`, 'a');
    symlinkSync('/etc', join(served.vault, HOME, 'links/out'));
    expect(at(await tree(`?path=${HOME}/links`), `${HOME}/links/out`)).toMatchObject({
      type: 'file',
      writable: false,
      children: [],
    });
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

  it('tells nobody of places that are not his', async () => {
    expect((await owner.get('/api/vault/tree?path=patients/marco-bianchi')).body.code).toBe('vault.path_not_found');
    expect((await owner.get('/api/vault/tree?path=patients/nobody')).body.code).toBe('vault.path_not_found');
  });
});

describe('deleting', () => {
  it('takes a document with its file, and brings both back', async () => {
    const path = `${HOME}/2025/del.pdf`,
      id = document(path);
    const { status, body } = await remove(path);
    expect([status, body.document_id, onDisk(path)]).toEqual([200, id, false]);
    expect((await owner.get(`/api/documents/${id}`)).status).toBe(404);
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).body.document_ids).toEqual([id]);
    expect(readFileSync(join(served.vault, path), 'utf8')).toBe(`content of ${path}`);
  });

  it('takes a file that belongs to no row, and brings it back', async () => {
    put(`${HOME}/del/stray.txt`, 'stray');
    const { body } = await remove(`${HOME}/del/stray.txt`);
    expect([body.document_id, onDisk(`${HOME}/del/stray.txt`)]).toEqual([null, false]);
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).status).toBe(200);
    expect(onDisk(`${HOME}/del/stray.txt`)).toBe(true);
  });

  it('is for who may change the place', async () => {
    const id = document(`${HOME}/del/kept.pdf`);
    put(`${HOME}/del/kept.txt`, 'x');
    for (const name of ['viewer', 'reader', 'other', 'editor', 'admin'] as const)
      for (const file of ['kept.pdf', 'kept.txt']) {
        expect((await remove(`${HOME}/del/${file}`, house.as(name))).status, `${name} ${file}`).toBe(403);
        expect(
          (await move(`${HOME}/del/${file}`, `${HOME}/gone/${file}`, house.as(name))).status,
          `${name} ${file}`,
        ).toBe(403);
      }
    expect([pathOf(id), onDisk(`${HOME}/del/kept.txt`)]).toEqual([`${HOME}/del/kept.pdf`, true]);
  });

  it('takes no folder, and nothing that is not there', async () => {
    expect((await remove(`${HOME}/del`)).body.code).toBe('vault.path_outside');
    expect((await remove(`${HOME}/del/nothing.pdf`)).body.code).toBe('vault.path_not_found');
  });
});

describe('moving', () => {
  it('renames a file, and keeps its extension', async () => {
    const id = document(`${HOME}/mv/a.pdf`);
    expect((await move(`${HOME}/mv/a.pdf`, `${HOME}/mv/Befund März.txt`)).body).toEqual({
      status: 'moved',
      from: `${HOME}/mv/a.pdf`,
      to: `${HOME}/mv/Befund März.txt.pdf`,
      affected_documents: [id],
    });
    expect([pathOf(id), onDisk(pathOf(id)), onDisk(`${HOME}/mv/a.pdf`)]).toEqual([
      `${HOME}/mv/Befund März.txt.pdf`,
      true,
      false,
    ]);
  });

  it('moves onto a folder into it, and numbers a name that is taken', async () => {
    const first = document(`${HOME}/into/x/a.pdf`),
      second = document(`${HOME}/into/y/a.pdf`);
    put(`${HOME}/into/z/A.PDF`, 'another spelling');
    expect((await move(`${HOME}/into/x/a.pdf`, `${HOME}/into/y`)).body.to).toBe(`${HOME}/into/y/a-2.pdf`);
    expect((await move(`${HOME}/into/y/a.pdf`, `${HOME}/into/z/`)).body.to).toBe(`${HOME}/into/z/a-2.pdf`);
    expect([
      readFileSync(join(served.vault, pathOf(first)), 'utf8'),
      readFileSync(join(served.vault, pathOf(second)), 'utf8'),
    ]).toEqual([`content of ${HOME}/into/x/a.pdf`, `content of ${HOME}/into/y/a.pdf`]);
  });

  it('does not take the place of a document whose file is missing', async () => {
    const missing = house.make.document({ file: false });
    house.db.prepare('UPDATE documents SET file_path = ? WHERE id = ?').run(`${HOME}/ghost/a.pdf`, missing);
    const id = document(`${HOME}/real/a.pdf`);
    expect((await move(`${HOME}/real/a.pdf`, `${HOME}/ghost/a.pdf`)).body.to).toBe(`${HOME}/ghost/a-2.pdf`);
    expect(pathOf(id)).toBe(`${HOME}/ghost/a-2.pdf`);
  });

  it('takes folders as they are spelled, where only case differs', async () => {
    document(`${HOME}/Reha/a.pdf`);
    const id = document(`${HOME}/loose/b.pdf`);
    expect((await move(`${HOME}/loose/b.pdf`, `${HOME}/reha/b.pdf`)).body.to).toBe(`${HOME}/Reha/b.pdf`);
    expect((await move(`${HOME}/Reha/b.pdf`, `${HOME}/Reha/B.pdf`)).body.to).toBe(`${HOME}/Reha/B.pdf`);
    expect(onDisk(pathOf(id))).toBe(true);
  });

  it('moves a folder with hundreds of documents, its strays and its studies in one step', async () => {
    const ids = house.db.transaction(() =>
      Array.from({ length: 400 }, (_, n) => document(`${HOME}/many/${n % 20}/d-${n}.pdf`)),
    );
    const sibling = document(`${HOME}/many-more/a.pdf`);
    put(`${HOME}/many/stray.txt`, 'stray');
    const study = Number(
      house.db
        .prepare("INSERT INTO imaging_studies (patient_id, folder_path, bundle_path, created_at) VALUES (?, ?, ?, 'x')")
        .run(house.patient, `${HOME}/many/ct`, `${HOME}/many/bundle`).lastInsertRowid,
    );
    const series = Number(
      house.db
        .prepare('INSERT INTO imaging_series (study_id, folder_path) VALUES (?, ?)')
        .run(study, `${HOME}/many/ct/series-001`).lastInsertRowid,
    );
    put(`${HOME}/many/ct/series-001/00001.dcm`, 'dicom');
    const { status, body } = await move(`${HOME}/many`, `${HOME}/archive/all`);
    expect([status, body.to, [...body.affected_documents].sort((a: number, b: number) => a - b)]).toEqual([
      200,
      `${HOME}/archive/all`,
      ids,
    ]);
    for (const [n, id] of ids.entries()) expect(pathOf(id)).toBe(`${HOME}/archive/all/${n % 20}/d-${n}.pdf`);
    expect(ids.every((id) => onDisk(pathOf(id)))).toBe(true);
    expect([onDisk(`${HOME}/many`), onDisk(`${HOME}/archive/all/stray.txt`), pathOf(sibling)]).toEqual([
      false,
      true,
      `${HOME}/many-more/a.pdf`,
    ]);
    expect(house.db.prepare('SELECT folder_path, bundle_path FROM imaging_studies WHERE id = ?').get(study)).toEqual({
      folder_path: `${HOME}/archive/all/ct`,
      bundle_path: `${HOME}/archive/all/bundle`,
    });
    expect(house.db.prepare('SELECT folder_path FROM imaging_series WHERE id = ?').pluck().get(series)).toBe(
      `${HOME}/archive/all/ct/series-001`,
    );
    // Nothing goes into a study or out of it, but the study as a whole may move.
    expect((await move(`${HOME}/archive/all/ct/series-001/00001.dcm`, `${HOME}/x.dcm`)).body.code).toBe(
      'vault.part_of_study',
    );
    expect((await remove(`${HOME}/archive/all/ct/series-001/00001.dcm`)).body.code).toBe('vault.part_of_study');
    expect((await move(`${HOME}/archive/all/stray.txt`, `${HOME}/archive/all/ct`)).body.code).toBe(
      'vault.part_of_study',
    );
    expect((await move(`${HOME}/archive/all/ct`, `${HOME}/ct-2021`)).body.affected_documents).toEqual([]);
    expect(house.db.prepare('SELECT folder_path FROM imaging_series WHERE id = ?').pluck().get(series)).toBe(
      `${HOME}/ct-2021/series-001`,
    );
  });

  it('refuses what would break the order of the vault', async () => {
    const id = document(`${HOME}/order/a.pdf`);
    house.db
      .prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (?, ?, 'owner')")
      .run(house.ids.owner, house.otherPatient);
    const codes = async (from: string, to: string): Promise<string> => String((await move(from, to)).body.code);
    expect(await codes(`${HOME}/order`, `${HOME}/order/below/it`)).toBe('vault.move_into_self');
    expect(await codes(HOME, `${HOME}-2/x`)).toBe('vault.protected_folder');
    expect(await codes('patients', `${HOME}/x`)).toBe('auth.forbidden');
    expect(await codes(`${HOME}/order/a.pdf`, 'inbox/elena-1/a.pdf')).toBe('vault.protected_folder');
    expect(await codes(`${HOME}/order/a.pdf`, 'trash/a.pdf')).toBe('vault.protected_folder');
    expect(await codes(`${HOME}/order/a.pdf`, 'patients/marco-bianchi/2020/a.pdf')).toBe('vault.patient_mismatch');
    expect(await codes(`${HOME}/order/none.pdf`, `${HOME}/order/b.pdf`)).toBe('vault.path_not_found');
    expect(await codes(`${HOME}/order/a.pdf`, `${HOME}/order/a.pdf/b.pdf`)).toBe('vault.path_outside');
    expect(await codes(`${HOME}/order/a.pdf`, `${HOME}/con/b.pdf`)).toBe('vault.path_outside');
    // Longer than a disk takes: the name, the path, and the path of a file in the folder.
    const long = `${HOME}/${'folder/'.repeat(140)}`;
    for (const to of [`${HOME}/${'n'.repeat(256)}`, `${HOME}/${'ü'.repeat(130)}`, `${long}${'n'.repeat(80)}`])
      expect(await codes(`${HOME}/order`, to)).toBe('vault.path_outside');
    expect(await codes(`${HOME}/order`, `${long}${'n'.repeat(1020 - long.length)}`)).toBe('vault.path_outside');
    for (const path of [`${HOME}/${'n'.repeat(256)}`, `${HOME}/${'n'.repeat(256)}/x`])
      expect([(await owner.get(`/api/vault/tree?path=${path}`)).body.code, (await remove(path)).body.code]).toEqual([
        'vault.path_outside',
        'vault.path_outside',
      ]);
    expect((await move(`${HOME}/order/a.pdf`, `${HOME}/order/a.pdf`)).body).toMatchObject({
      status: 'moved',
      affected_documents: [],
    });
    expect([pathOf(id), onDisk(pathOf(id))]).toEqual([`${HOME}/order/a.pdf`, true]);
  });

  it('keeps the place that a person chose when fields change later', async () => {
    const id = document(`${HOME}/2025/20251112_lab-test.pdf`);
    await move(`${HOME}/2025/20251112_lab-test.pdf`, `${HOME}/Hausarzt/Blut.pdf`);
    expect(
      (await owner.call('PATCH', `/api/documents/${id}`, { notes: 'seen', event_date: '2019-01-02' })).status,
    ).toBe(200);
    expect(pathOf(id)).toBe(`${HOME}/Hausarzt/Blut.pdf`);
  });
});

describe('a comparison of everything', () => {
  const finished = async () => {
    for (let tries = 0; tries < 300; tries += 1) {
      const { body } = await house.as('keeper').get('/api/vault/check');
      if (body.check?.status !== 'running') return body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the check does not end');
  };

  it('names one flipped bit, to those who may know', async () => {
    house.db.prepare("DELETE FROM documents WHERE file_path NOT LIKE 'patients/elena-1/archive/%'").run();
    const victim = `${HOME}/archive/all/7/d-347.pdf`;
    const bytes = readFileSync(join(served.vault, victim));
    bytes[3] = (bytes[3] ?? 0) ^ 1;
    writeFileSync(join(served.vault, victim), bytes);
    expect((await house.as('keeper').post('/api/vault/check')).status).toBe(202);
    const { check } = await finished();
    expect(check).toMatchObject({ status: 'done', documents: 400, files: 399 });
    expect(check.faults.filter((fault: { kind: string }) => fault.kind !== 'foreign')).toEqual([
      { kind: 'changed', path: victim, document_id: expect.any(Number), same_as: null },
    ]);
    const unseen = (await house.as('admin').get('/api/vault/check')).body;
    expect([
      unseen.check.fault_count,
      unseen.check.faults.some((fault: { path: string | null }) => fault.path?.includes('elena')),
    ]).toEqual([check.fault_count, false]);
    expect((await owner.post('/api/vault/check')).status).toBe(403);
  });

  it('goes on after a restart where it was', async () => {
    await served.stop('SIGKILL');
    house.db
      .prepare(
        'INSERT INTO vault_checks (status, position, documents, files, bytes, faults, started_at) ' +
          "VALUES ('running', (SELECT id FROM documents ORDER BY id LIMIT 1 OFFSET 389), 390, 390, 1, " +
          "'[]', '2026-01-01T00:00:00')",
      )
      .run();
    const again = await serve({ vault: served.vault, env: { VAULT_PIPELINE_WATCH: 'false' } });
    Object.assign(served, { url: again.url, process: again.process, stop: again.stop, remove: again.remove });
    const client = house.as('keeper');
    Object.assign(client, { url: again.url });
    for (let tries = 0; tries < 200; tries += 1) {
      const { check } = (await client.get('/api/vault/check')).body;
      if (check.status === 'done') {
        // Ten were left; the flipped one had been passed already.
        expect([check.documents, check.files]).toEqual([400, 400]);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the check was not taken up');
  });
});

it('left no promise behind, and the folders that Hearth needs', () => {
  expect(house.db.prepare('SELECT count(*) FROM vault_journal').pluck().get()).toBe(0);
  expect(readdirSync(served.vault)).toEqual(
    expect.arrayContaining(['inbox', 'patients', 'unclassified', 'trash', 'tmp', 'cache']),
  );
});
