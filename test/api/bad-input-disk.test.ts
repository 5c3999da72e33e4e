/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, closeSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { HEARTH } from '../support/program.ts';
import { hasRequirements } from '../support/requirements.ts';
import { labReport, letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';
import { filesBelowIfPresent } from '../support/files.ts';

/** A PDF of about so many bytes that cannot be compressed. */
async function heavy(bytes: number, seed: number): Promise<Uint8Array> {
  const pdf = Buffer.from(await letter([[{ text: `A heavy page ${seed}`, y: 100 }]]));
  const noise = Buffer.from(
    Uint8Array.from({ length: bytes }, (_, i) => ((i * 2_654_435_761 + seed * 97) >>> 13) & 0xff).map((byte) =>
      byte === 0x0a || byte === 0x0d ? 0x20 : byte,
    ),
  );
  return Buffer.concat([pdf, Buffer.from('\n%'), noise, Buffer.from('\n')]);
}

const MIB = 2 ** 20;
const disk = mkdtempSync(join(tmpdir(), 'hearth-disk-'));
const canMount = hasRequirements('a disk of 24 MB that fills up', { tmpfs: true, gate: 'mount' });
if (canMount) spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'hearth-test', disk]);
afterAll(() => {
  if (canMount) spawnSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

describe.runIf(canMount)('a disk of 24 MB that fills up', () => {
  let served: Served, person: Client;
  const vault = join(disk, 'vault');
  const ballast = join(disk, 'ballast');
  /** Takes space until so many bytes are left. */
  const leave = (bytes: number): void => {
    rmSync(ballast, { force: true });
    const { bavail, bsize } = statfsSync(disk);
    const handle = openSync(ballast, 'w');
    try {
      const block = Buffer.alloc(64 * 1024, 1);
      for (let rest = bavail * bsize - bytes; rest > 0; rest -= block.length)
        writeSync(handle, block, 0, Math.min(rest, block.length));
    } catch (error) {
      // The program writes as well, and may have taken the last bytes.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(handle);
    }
  };
  beforeAll(async () => {
    mkdirSync(vault);
    served = await serve({ vault, env: { VAULT_PIPELINE_WATCH: 'false' } });
    person = new Client(served.url);
    await person.setup();
  });
  afterAll(() => served.remove());

  it('rejects a file that does not fit and leaves nothing behind', async () => {
    leave(2 * MIB);
    const answer = await person.upload(await heavy(5 * MIB, 1), 'heavy.pdf');
    expect([answer.status, answer.body.code]).toEqual([507, 'server.disk_full']);
    expect([
      filesBelowIfPresent(join(vault, 'tmp')),
      filesBelowIfPresent(join(vault, 'inbox')),
      (await person.get('/api/documents')).body.total,
    ]).toEqual([[], [], 0]);
  });

  it('rejects changes on a full disk and still responds', async () => {
    rmSync(ballast, { force: true });
    const { body: kept } = await person.upload(await labReport({ seed: 4 }), 'kept.pdf');
    await person.idle();
    leave(0);
    const codes = new Set<string>();
    for (let i = 0; i < 60; i += 1) {
      const { status, body } = await person.call('PATCH', `/api/documents/${kept.document_id}`, {
        user_notes: `${'a long note '.repeat(5000)}${i}`,
      });
      if (status !== 200) codes.add(`${status} ${body.code}`);
    }
    expect([...codes]).toEqual(['507 server.disk_full']);
    expect((await person.upload(await labReport({ seed: 5 }), 'late.pdf')).body.code).toBe('server.disk_full');
    expect((await person.get(`/api/documents/${kept.document_id}`)).body.status).toBe('done');
    expect((await person.get('/health')).status).toBe(200);
    expect([filesBelowIfPresent(join(vault, 'tmp')), (await person.get('/api/documents')).body.total]).toEqual([[], 1]);
  });

  it('resumes when there is space again, and nothing is missing', async () => {
    rmSync(ballast, { force: true });
    const before = (await person.get('/api/documents')).body.total;
    const { status, body } = await person.upload(await labReport({ seed: 6 }), 'after.pdf');
    expect(status).toBe(201);
    leave(0);
    await expect.poll(async () => (await person.get('/api/pipeline/status')).body.current_job).toBeNull();
    rmSync(ballast, { force: true });
    await person.post('/api/pipeline/start');
    await person.idle();
    expect((await person.get(`/api/documents/${body.document_id}`)).body).toMatchObject({
      status: 'done',
      doc_type: 'lab_test',
    });
    expect((await person.get('/api/documents')).body.total).toBe(before + 1);
    expect(await served.stop()).toBe(0);
    const verified = spawnSync(process.execPath, [HEARTH, 'verify', '--vault', vault], {
      encoding: 'utf8',
    });
    expect([verified.status, verified.stdout + verified.stderr]).toEqual([0, expect.any(String)]);
  });
});

describe.runIf(process.platform !== 'win32')("a file system that can't store large files", () => {
  let served: Served, person: Client;
  beforeAll(async () => {
    // 16 MiB: in a POSIX shell `ulimit -f` counts blocks of 512 bytes.
    served = await serve({
      env: { VAULT_PIPELINE_WATCH: 'false' },
      through: ['sh', '-c', 'ulimit -f 32768; exec "$0" "$@"'],
    });
    person = new Client(served.url);
    await person.setup();
  });
  afterAll(() => served.remove());

  it('rejects large files with a clear error and accepts small ones', async () => {
    const { status, body } = await person.upload(await heavy(20 * MIB, 2), 'large.pdf');
    expect([status, body.code]).toEqual([413, 'upload.too_large_for_disk']);
    expect([filesBelowIfPresent(join(served.vault, 'tmp')), (await person.get('/api/documents')).body.total]).toEqual([
      [],
      0,
    ]);
    expect((await person.upload(await heavy(MIB, 3), 'small.pdf')).status).toBe(201);
    await person.idle();
  });
});
