import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { expect, it } from 'vitest';
import { CALL_NAMES } from '../../src-shared/contract/bridge-names.ts';
import { labReport } from '../support/sample-documents.ts';

/**
 * The true program: the release workflow builds it and names it in this variable. It needs the fuse for inspecting, by
 * which Playwright drives it, so it is a build of its own.
 */
const PROGRAM = process.env['HEARTH_DESKTOP_PROGRAM'];

it.skipIf(PROGRAM === undefined)(
  'the packaged program opens its window, reads a document and quits',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'hearth-smoke-'));
    const program = await _electron.launch({
      executablePath: PROGRAM!,
      args: ['--vault', join(home, 'vault'), '--phone-backups-port', '0', `--user-data-dir=${join(home, 'profile')}`],
      env: { ...(process.env as Record<string, string>), XDG_CONFIG_HOME: home, APPDATA: home },
      timeout: 60_000,
    });
    try {
      const window = await program.firstWindow();
      await window.waitForLoadState();
      const origin = new URL(window.url()).origin;
      expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      // Only the window gets an answer.
      expect((await fetch(`${origin}/health`)).status).toBe(403);
      const seen = await window.evaluate(() => ({
        calls: Object.keys((globalThis as unknown as { hearth: object }).hearth),
        hasNode: 'process' in globalThis || 'require' in globalThis,
      }));
      expect(seen).toEqual({ calls: expect.arrayContaining([...CALL_NAMES, 'onSignal']), hasNode: false });
      const read = await window.evaluate(readDocument, [...(await labReport({ seed: 1 }))]);
      expect(read).toMatchObject({ doc_type: 'lab_test' });
      writeFileSync(join(home, 'window.png'), await window.screenshot());
    } finally {
      await program.close();
      rmSync(home, { recursive: true, force: true });
    }
  },
  180_000,
);

/** Runs in the page: sets the household up, uploads a report and waits until it is read. */
async function readDocument(bytes: number[]): Promise<unknown> {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const account = { username: 'ann', password: 'correct horse battery' };
  const household = { ...account, patient_name: 'Ada', patient_date_of_birth: null };
  await fetch('/api/setup/complete', { ...json, body: JSON.stringify(household) });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'report.pdf');
  const sent = await fetch('/api/documents/upload?patient_id=1', { method: 'POST', body: form });
  const { document_id: id } = (await sent.json()) as { document_id: number };
  for (;;) {
    const document = (await (await fetch(`/api/documents/${id}`)).json()) as { status: string };
    if (!['pending', 'processing'].includes(document.status)) return document;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
