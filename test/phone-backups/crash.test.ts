import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { indexArtifacts } from '../../src-main/features/phone-backups/index-job.ts';
import { openIndexReader } from '../../src-main/features/phone-backups/index-reader.repository.ts';
import type { ArtifactSource } from '../../src-shared/ios-backup/artifacts/source.ts';
import { phoneClient, phoneFolders, PLAIN } from '../support/phones.ts';
import { serve } from '../support/serve.ts';

const work = mkdtempSync(join(tmpdir(), 'hearth-phone-crash-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('a killed core', () => {
  it('deletes decrypted databases at its next start', async () => {
    // Its list of files has a write-ahead log, so that it is copied to the sandbox while the backup is open.
    const folders = await phoneFolders();
    writeFileSync(join(folders.base, 'Familie', PLAIN, 'Manifest.db-wal'), Buffer.alloc(32));
    const first = await serve({ env: folders.env }),
      phone = phoneClient(first.backupsUrl);
    await phone.get('/backups');
    const session = await phone.unlock(PLAIN);
    expect(folders.decrypted()).toContain('copy.sqlite');
    await first.stop('SIGKILL');
    expect(folders.decrypted()).toContain('copy.sqlite');
    const second = await serve({ env: folders.env, vault: first.vault });
    expect(readdirSync(folders.temp)).toEqual([]);
    expect((await phoneClient(second.backupsUrl).get(`/backups/${PLAIN}/files`, session)).status).toBe(401);
    await second.remove();
    folders.remove();
  });

  it('reports unfinished artifacts as interrupted, and keeps finished ones', async () => {
    const file = join(work, 'index.sqlite'),
      never = () => false;
    const absent: ArtifactSource = {
      database: () => Promise.resolve(null),
      files: () => Promise.resolve(new Map()),
      domains: () => Promise.resolve([]),
      info: () => Promise.resolve(null),
      file: () => Promise.resolve(null),
    };
    const job = indexArtifacts({
      source: absent,
      file,
      artifacts: ['contacts', 'messages', 'notes'],
      isCancelled: never,
      progress: ({ artifact }) => {
        if (artifact === 'messages') throw new Error('killed');
      },
    });
    await expect(job).rejects.toThrow('killed');
    const reader = openIndexReader(file)!;
    expect(Object.fromEntries(reader.states().map(({ artifact, status }) => [artifact, status]))).toEqual({
      contacts: 'absent',
      messages: 'cancelled',
      notes: 'cancelled',
    });
    reader.close();
  });
});
