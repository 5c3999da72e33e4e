import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeWith, itWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import { labReport } from '../support/sample-documents.ts';
import { test as base } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

let served: Served, person: Client, inbox: string, outside: string;
const test = base.override('serveOptions', { env: { VAULT_PIPELINE_POLL_INTERVAL: '0.2' } });

test.beforeAll(async ({ served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
  inbox = join(served.vault, 'inbox/elena-keller');
  mkdirSync(inbox, { recursive: true });
  outside = mkdtempSync(join(tmpdir(), 'hearth-outside-'));
  writeFileSync(join(outside, 'secret.pdf'), await labReport({ seed: 1 }));
});
afterAll(async () => {
  rmSync(outside, { recursive: true, force: true });
});

const names = async (): Promise<string[]> =>
  ((await person.get('/api/documents?limit=500')).body.items as { original_filename: string }[])
    .map((item) => item.original_filename)
    .sort();
const trashed = async (): Promise<string[]> =>
  ((await person.get('/api/trash')).body.items as { label: string }[]).map((item) => item.label).sort();

describeWith({ programs: ['mkfifo'], symlinks: true }, 'odd entries among the documents of the vault', () => {
  it('are shown if they are files, and neither followed nor moved', async () => {
    const folder = join(served.vault, 'patients/elena-keller/2024');
    mkdirSync(join(folder, 'line\nbreak'), { recursive: true });
    for (const name of ['plain.pdf', 'CON.pdf', 'back\\slash.pdf', 'line\nbreak/deep.pdf'])
      writeFileSync(join(folder, name), 'x');
    symlinkSync(outside, join(folder, 'linked'));
    symlinkSync(folder, join(folder, 'circle'));
    expect(spawnSync('mkfifo', [join(folder, 'pipe.pdf')]).status).toBe(0);
    type Entry = { name: string; writable: boolean; type: string; children: Entry[] };
    const { status, body } = await person.get('/api/vault/tree?path=patients/elena-keller/2024');
    expect(status).toBe(200);
    const entries = Object.fromEntries((body.children as Entry[]).map(({ name, writable }) => [name, writable]));
    expect(entries).toEqual({
      'line\nbreak': false,
      'plain.pdf': true,
      'CON.pdf': false,
      'back\\slash.pdf': false,
    });
    expect(JSON.stringify(body)).not.toContain('secret.pdf');
    // A paper whose file is sought finds the plain one only.
    const up = await person.upload(await labReport({ seed: 70 }), 'deep.pdf');
    await person.idle();
    const { body: sought } = await person.get(`/api/documents/${up.body.document_id}/find-candidates`);
    expect(
      (sought.candidates as { vault_path: string }[]).filter(({ vault_path }) => vault_path.includes('2024')),
    ).toEqual([]);
    await person.call(
      'DELETE',
      `/api/trash/${(await person.call('DELETE', `/api/documents/${up.body.document_id}`)).body.trash_id}`,
    );
    expect((await person.post('/api/vault/check')).status).toBe(202);
    await expect.poll(async () => (await person.get('/api/vault/check')).body.check.status).toBe('done');
  });

  it('are backed up under portable names, so that the backup can be restored', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-backups-'));
    const idle = (): Promise<void> =>
      expect.poll(async () => (await person.get('/api/settings/backup/files')).body.running).toBeNull();
    try {
      expect(
        (
          await person.call('PUT', '/api/settings/backup/plan', {
            folder,
            every: 'off',
            at: '03:30',
            keep_daily: 7,
            keep_weekly: 4,
            keep_monthly: 6,
            include_secrets: false,
          })
        ).status,
      ).toBe(200);
      await person.post('/api/settings/backup/run');
      await idle();
      const [made] = (await person.get('/api/settings/backup/files')).body.items as {
        id: number;
        status: string;
        verified_at: string | null;
      }[];
      expect(made).toMatchObject({ status: 'done', verified_at: expect.any(String) });
      await person.post(`/api/settings/backup/files/${made!.id}/drill`);
      await idle();
      expect((await person.get('/api/settings/backup/files')).body).toMatchObject({
        last_error: null,
        last_drill: { ok: true, backup_id: made!.id },
      });
      expect(readdirSync(join(served.vault, 'patients/elena-keller/2024')).sort()).toEqual([
        'CON-file.pdf',
        'circle',
        'deep.pdf',
        'line\nbreak',
        'linked',
        'pipe.pdf',
        'plain.pdf',
        'slash.pdf',
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      rmSync(join(served.vault, 'patients/elena-keller'), { recursive: true });
    }
  });
});

describe('files in the inbox', () => {
  it("moves files that can't be documents to the trash", async () => {
    const report = Buffer.from(await labReport({ seed: 2 }));
    const bad: Record<string, Buffer> = {
      'empty.pdf': Buffer.alloc(0),
      'cut.pdf': report.subarray(0, 300),
      'words.txt': Buffer.from('just words'),
      'page.html': Buffer.from('<html><script>alert(1)</script></html>'),
      'photo.pdf': Buffer.from('GIF89a but not really'),
      'noise.png': Buffer.from('\x89PNG\r\n\x1a\n and nothing', 'latin1'),
    };
    for (const [name, bytes] of Object.entries(bad)) writeFileSync(join(inbox, name), bytes);
    await expect.poll(trashed, { interval: 300 }).toEqual(Object.keys(bad).sort());
    expect(await names()).toEqual([]);
    const [item] = (await person.get('/api/trash')).body.items as { id: number; label: string }[];
    await person.post(`/api/trash/${item!.id}/restore`);
    expect(readFileSync(join(inbox, item!.label)).equals(bad[item!.label]!)).toBe(true);
  });

  it.runIf(process.platform === 'linux')(
    'imports names that other systems do not allow under portable names',
    LONG,
    async () => {
      const given = [
        'line\nbreak.pdf',
        'right\u202eto.pdf',
        'back\\slash.pdf',
        'CON.pdf',
        'end. .pdf',
        'u\u0308ber.pdf',
        'quote"<>|?*.pdf',
        '-rf.pdf',
        `${'l'.repeat(240)}.pdf`,
      ];
      for (const [i, name] of given.entries())
        writeFileSync(join(inbox, name), await labReport({ seed: 20 + i, collected: `0${i + 1}.10.2025` }));
      mkdirSync(join(inbox, 'scans. '));
      writeFileSync(join(inbox, 'scans. ', 'deep.pdf'), await labReport({ seed: 40, collected: '21.10.2025' }));
      await expect.poll(async () => (await names()).length, { timeout: 60_000, interval: 300 }).toBe(given.length + 1);
      await person.idle();
      for (const name of await names()) expect(name).toMatch(/^[^\u0000-\u001f\u202e\\"<>|?*]+\.pdf$/);
      expect(
        readdirSync(inbox).filter(
          (name) => name.endsWith('.pdf') && name !== 'cut.pdf' && name !== 'empty.pdf' && name !== 'photo.pdf',
        ),
      ).toEqual([]);
    },
  );

  itWith(
    { programs: ['mkfifo'], symlinks: true },
    'skips links, pipes and link cycles without blocking other files',
    async () => {
      const before = (await names()).length;
      symlinkSync(join(outside, 'secret.pdf'), join(inbox, 'link.pdf'));
      symlinkSync(outside, join(inbox, 'linked'));
      symlinkSync(inbox, join(inbox, 'circle'));
      expect(spawnSync('mkfifo', [join(inbox, 'pipe.pdf')]).status).toBe(0);
      writeFileSync(join(inbox, 'after.pdf'), await labReport({ seed: 60, collected: '05.05.2025' }));
      await expect.poll(names, { interval: 300 }).toContain('after.pdf');
      expect((await names()).length).toBe(before + 1);
      expect([
        existsSync(join(outside, 'secret.pdf')),
        existsSync(join(inbox, 'link.pdf')),
        existsSync(join(inbox, 'pipe.pdf')),
      ]).toEqual([true, true, true]);
      expect((await person.get('/health')).status).toBe(200);
      expect(await served.stop()).toBe(0);
    },
  );
});
