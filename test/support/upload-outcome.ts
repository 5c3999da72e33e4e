import { join } from 'node:path';
import { expect } from 'vitest';
import type { Client } from './client.ts';
import { filesBelowIfPresent } from './files.ts';
import type { Served } from './serve.ts';

/** Settings of a core with small limits, for uploads that go past them. */
export const SMALL_LIMITS = {
  VAULT_PIPELINE_WATCH: 'false',
  VAULT_UPLOAD_MAX_BYTES: String(40 * 2 ** 20),
  VAULT_ARCHIVE_MAX_BYTES: String(64 * 2 ** 20),
  VAULT_ARCHIVE_MAX_MEMBERS: '500',
  VAULT_UPLOAD_MAX_PAGES: '50',
};

/** An outcome of `uploadOutcome`: the file was accepted and processed to an end. */
export const READ = /^read (done|needs_review|failed)$/;
/** An outcome of `uploadOutcome`: the file was rejected. */
export const REFUSED = /^4\d\d (upload|archive)\.\w+$/;

/** Deletes a document for good. */
async function deleteDocument(person: Client, id: number): Promise<void> {
  const { body } = await person.call('DELETE', `/api/documents/${id}`);
  await person.call('DELETE', `/api/trash/${body.trash_id}`);
}

/** Deletes every document, then expects an empty vault and a core that still responds. */
export async function expectCleanVault(served: Served, person: Client): Promise<void> {
  const { body } = await person.get('/api/documents?limit=500');
  for (const { id } of body.items as { id: number }[]) await deleteDocument(person, id);
  await expect
    .poll(
      () =>
        ['tmp', 'inbox', 'patients', 'unclassified', 'trash', 'cache'].flatMap((folder) =>
          filesBelowIfPresent(join(served.vault, folder)),
        ),
      { timeout: 10_000 },
    )
    .toEqual([]);
  expect((await person.get('/health')).status).toBe(200);
}

/** Status and code of a rejected upload; for an accepted one, how its processing ended. */
export async function uploadOutcome(person: Client, bytes: Uint8Array, name: string): Promise<string> {
  const { status, body } = await person.upload(bytes, name);
  expect(JSON.stringify(body)).not.toMatch(/\/(?:tmp|work|home)\/|SELECT|at .*\.ts/);
  if (status >= 400) return `${status} ${body.code}`;
  await person.idle(120);
  if (body.status === 'extracted') return `extracted ${body.extracted}`;
  const { body: document } = await person.get(`/api/documents/${body.document_id}`);
  for (const tail of ['file', 'thumbnail', 'pages/1/image?width=200', 'pages', 'stages']) {
    const reply = await person.get(`/api/documents/${body.document_id}/${tail}`);
    expect([name, tail, reply.status < 500 || reply.body.code]).toEqual([name, tail, true]);
  }
  if (document.status === 'failed') expect(document.error_message).toMatch(/^[A-Z].*[.!]$/);
  return `read ${document.status}`;
}
