import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { labReport } from '../support/papers.ts';
import { serve, type Served } from '../support/serve.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// Within the project, so that the packages are found as they are found from dist.
const out = mkdtempSync(join(ROOT, 'node_modules', '.desktop-'));
let served: Served;

beforeAll(async () => {
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts', 'build-desktop.ts'), '--out', out]);
  served = await serve({ program: ['--no-strip-types', join(out, 'src-main', 'serve.js')] });
});

afterAll(async () => {
  await served.remove();
  rmSync(out, { recursive: true, force: true });
});

it('holds no TypeScript and names its main program', () => {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.ts'))).toEqual([]);
  const { main } = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8')) as { main: string };
  expect(files).toContain(join(...main.split('/')));
});

it('reads a document, threads and migrations included, in a Node that knows no types', async () => {
  const person = new Client(served.url);
  await person.setup();
  const { body } = await person.upload(await labReport({ seed: 1 }), 'report.pdf', 1);
  await person.idle();
  expect((await person.get(`/api/documents/${body.document_id}`)).body).toMatchObject({ doc_type: 'lab_test' });
});
