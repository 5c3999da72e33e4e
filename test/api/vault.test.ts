import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Household } from '../support/household.ts';
import type { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { serve, type Served } from '../support/serve.ts';

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

describe('deleting', () => {
  it('moves a document with its file to the trash, and restores both', async () => {
    const path = `${HOME}/2025/del.pdf`,
      id = document(path);
    const { status, body } = await remove(path);
    expect([status, body.document_id, onDisk(path)]).toEqual([200, id, false]);
    expect((await owner.get(`/api/documents/${id}`)).status).toBe(404);
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).body.document_ids).toEqual([id]);
    expect(readFileSync(join(served.vault, path), 'utf8')).toBe(`content of ${path}`);
  });

  it('moves a file without a document to the trash, and restores it', async () => {
    put(`${HOME}/del/stray.txt`, 'stray');
    const { body } = await remove(`${HOME}/del/stray.txt`);
    expect([body.document_id, onDisk(`${HOME}/del/stray.txt`)]).toEqual([null, false]);
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).status).toBe(200);
    expect(onDisk(`${HOME}/del/stray.txt`)).toBe(true);
  });

  it('requires write access to the folder', async () => {
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

  it('rejects folders and missing files', async () => {
    expect((await remove(`${HOME}/del`)).body.code).toBe('vault.path_outside');
    expect((await remove(`${HOME}/del/nothing.pdf`)).body.code).toBe('vault.path_not_found');
  });
});

describe('moving', () => {
  it('renames a file without changing its extension', async () => {
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

  it('moves a file into a folder, and numbers a name in use', async () => {
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

  it('does not use the path of a document whose file is missing', async () => {
    const missing = house.make.document({ file: false });
    house.db.prepare('UPDATE documents SET file_path = ? WHERE id = ?').run(`${HOME}/ghost/a.pdf`, missing);
    const id = document(`${HOME}/real/a.pdf`);
    expect((await move(`${HOME}/real/a.pdf`, `${HOME}/ghost/a.pdf`)).body.to).toBe(`${HOME}/ghost/a-2.pdf`);
    expect(pathOf(id)).toBe(`${HOME}/ghost/a-2.pdf`);
  });

  it('uses existing folders as spelled if only case differs', async () => {
    document(`${HOME}/Reha/a.pdf`);
    const id = document(`${HOME}/loose/b.pdf`);
    expect((await move(`${HOME}/loose/b.pdf`, `${HOME}/reha/b.pdf`)).body.to).toBe(`${HOME}/Reha/b.pdf`);
    expect((await move(`${HOME}/Reha/b.pdf`, `${HOME}/Reha/B.pdf`)).body.to).toBe(`${HOME}/Reha/B.pdf`);
    expect(onDisk(pathOf(id))).toBe(true);
  });

  it('moves a folder with hundreds of documents, other files and studies in one step', async () => {
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

  it('rejects moves that break the layout of the vault', async () => {
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
      status: 'noop',
      affected_documents: [],
    });
    expect([pathOf(id), onDisk(pathOf(id))]).toEqual([`${HOME}/order/a.pdf`, true]);
  });

  it('keeps the folder that a user selected when fields change later', async () => {
    const id = document(`${HOME}/2025/20251112_lab-test.pdf`);
    await move(`${HOME}/2025/20251112_lab-test.pdf`, `${HOME}/Hausarzt/Blut.pdf`);
    expect(
      (await owner.call('PATCH', `/api/documents/${id}`, { notes: 'seen', event_date: '2019-01-02' })).status,
    ).toBe(200);
    expect(pathOf(id)).toBe(`${HOME}/Hausarzt/Blut.pdf`);
  });
});

describe('an integrity check', () => {
  const finished = async () => {
    for (let tries = 0; tries < 300; tries += 1) {
      const { body } = await house.as('keeper').get('/api/vault/check');
      if (body.check?.status !== 'running') return body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the check does not end');
  };

  it('reports one flipped bit to users who may see it', async () => {
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

  it('resumes after a restart', async () => {
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

it('leaves no pending moves, and the folders that Hearth needs', () => {
  expect(house.db.prepare('SELECT count(*) FROM vault_journal').pluck().get()).toBe(0);
  expect(readdirSync(served.vault)).toEqual(
    expect.arrayContaining(['inbox', 'patients', 'unclassified', 'trash', 'tmp', 'cache']),
  );
});
