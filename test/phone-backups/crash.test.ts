import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { indexArtifacts } from '../../src-main/features/phone-backups/index-job.ts';
import { openIndexReader } from '../../src-main/features/phone-backups/index-reader.repository.ts';
import type { ArtifactSource } from '../../src-shared/ios-backup/artifacts/source.ts';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { ENCRYPTED, phoneClient, phoneFolders, TOKEN } from '../support/phones.ts';
import { serve } from '../support/serve.ts';

const work = mkdtempSync(join(tmpdir(), 'hearth-phone-crash-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('a killed core', () => {
  it('deletes decrypted files at its next start', async () => {
    const film = Buffer.alloc(16_000_000, 'frame'),
      folders = await phoneFolders(26, [{ domain: 'MediaDomain', path: 'film.mov', content: film }]);
    const first = await serve({ env: folders.env }),
      phone = phoneClient(first.backupsUrl);
    await phone.get('/backups');
    const session = await phone.unlock(ENCRYPTED);
    // Whoever asked stops to read, so that the file stays where it is.
    const paused = await new Promise<IncomingMessage>((resolve, reject) => {
      request(
        `${first.backupsUrl}/backups/${ENCRYPTED}/file/${fileIdOf('MediaDomain', 'film.mov')}`,
        { headers: { 'X-API-Token': TOKEN, 'X-Backup-Session': session } },
        (response) => {
          response.pause();
          resolve(response);
        },
      )
        .on('error', reject)
        .end();
    });
    paused.on('error', () => undefined);
    expect(folders.extracted()).toHaveLength(1);
    await first.stop('SIGKILL');
    expect(folders.extracted()).toHaveLength(1);
    const second = await serve({ env: folders.env, vault: first.vault });
    expect(readdirSync(folders.temp)).toEqual([]);
    expect((await phoneClient(second.backupsUrl).get(`/backups/${ENCRYPTED}/files`, session)).status).toBe(401);
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
