/** @module-tag long */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { scanned } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

let temporary: string, served: Served;
const start = (vault?: string): Promise<Served> =>
  serve({
    ...(vault !== undefined && { vault }),
    env: {
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
      VAULT_OCR_ENGINE: 'builtin',
      VAULT_PIPELINE_WATCH: 'false',
    },
  });

beforeEach(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'hearth-temporary-'));
  served = await start();
});
afterEach(async () => {
  await served.remove();
  rmSync(temporary, { recursive: true, force: true });
});

it('reading a scan leaves nothing in the temporary folder and prints nothing', async () => {
  let said = '';
  served.process.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  served.process.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const person = new Client(served.url);
  await person.setup();
  const { body } = await person.upload(
    await scanned([
      'Ärztlicher Bericht über die Kontrolle',
      'Patientin Elena Keller, geboren am 09.05.1979',
      'Die Rückenbeschwerden haben nachgelassen.',
    ]),
    'scan.png',
  );
  await person.idle();
  expect((await person.get(`/api/documents/${body.document_id}`)).body.ocr_text).toContain('Kontrolle');
  expect(await served.stop()).toBe(0);
  expect([readdirSync(temporary), said]).toEqual([[], '']);
});

it('temporary files of a killed core are deleted at the next start', async () => {
  const person = new Client(served.url);
  await person.setup();
  await person.upload(await scanned(['Ein Bericht, der nicht zu Ende gelesen wird']), 'scan.png');
  await expect
    .poll(() => readdirSync(temporary).some((name) => name.startsWith('hearth-ocr-')), {
      interval: 20,
    })
    .toBe(true);
  const killed = served.process.pid;
  await served.stop('SIGKILL');
  expect(readdirSync(temporary).filter((name) => name.includes(`-${killed}-`))).toHaveLength(1);
  served = await start(served.vault);
  await expect.poll(() => readdirSync(temporary).filter((name) => name.includes(`-${killed}-`))).toEqual([]);
  const again = new Client(served.url);
  await again.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
  await again.idle();
  expect((await again.get('/api/documents')).body.items[0].status).toMatch(/^(done|needs_review)$/);
});
