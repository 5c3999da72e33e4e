import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { watchMemory } from '../support/memory.ts';
import { PDF_BOMBS } from '../support/pdf-bombs.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

/** What Hearth may hold in memory, all of its processes together. */
const MAX_MEMORY = 2 ** 30;

let served: Served, person: Client;
beforeAll(async () => {
  served = await serve();
  person = new Client(served.url);
  await person.setup();
});
afterAll(() => served.remove());

/** Uploads a PDF and waits for its reading: its status, and the error if it failed. */
async function endOf(bytes: Uint8Array, name: string): Promise<string> {
  const { status, body } = await person.upload(bytes, name);
  if (status >= 400) return `${status} ${body.code}`;
  await person.idle(280);
  const { body: document } = await person.get(`/api/documents/${body.document_id}`);
  return `${document.status} ${document.error?.code ?? ''}`.trim();
}

describe('a PDF with', () => {
  it.each(Object.entries(PDF_BOMBS))('%s costs little memory and ends', async (name, make) => {
    const largest = watchMemory(served.process.pid);
    // It is filed without its text, or refused by the reader; never a fault of the program.
    expect(await endOf(make(), `${name}.pdf`)).toMatch(/^(needs_review|failed reading\.file_too_demanding)$/);
    expect(largest() ?? 0).toBeLessThan(MAX_MEMORY);
  });

  it('what people send is read after all of them', async () => {
    expect(await endOf(await labReport(), 'after them.pdf')).toMatch(/^(done|needs_review)$/);
  });
});
