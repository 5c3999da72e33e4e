/** @module-tag long */
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { filesBelow } from '../support/files.ts';
import { letter } from '../support/sample-documents.ts';
import { serve } from '../support/serve.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  .filter((page) => !page.startsWith('docs/adr/'))
  .toSorted();
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const SCRIPTS = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);

const home = mkdtempSync(join(tmpdir(), 'hearth-docs-'));
const vault = join(home, '.local/share/hearth/vault');
const env = {
  ...process.env,
  HOME: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local/share'),
};
beforeAll(async () => {
  mkdirSync(join(home, 'papers'), { recursive: true });
  mkdirSync(env.XDG_CONFIG_HOME);
  writeFileSync(join(home, 'papers', 'letter.pdf'), await letter([[{ text: 'A letter', y: 60 }]]));
  for (const folder of [vault, join(home, 'second-vault')]) {
    const served = await serve({
      vault: folder,
      env: { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME, VAULT_PIPELINE_WATCH: 'false' },
    });
    await new Client(served.url).setup();
    await served.stop();
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The commands of a page: lines of its blocks for a shell, without what a second column says about them. */
const commandsOf = (page: string): string[] =>
  [...read(page).matchAll(/^```(?:sh)?\n([^]*?)^```/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.split(/\s{2,}/)[0]?.trim() ?? '')
    .filter((line) => /^(?:npm|npx|git|node)\s/.test(line));

/** Commands that are not run here, with the reason. Those with words in capitals are forms, not commands. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm start': 'test/api/start.test.ts runs it',
  'npm start -- --demo': 'test/api/sample-household.test.ts opens the sample household',
  'npm test': 'it runs this test',
  'npm ci': 'it would replace the packages under the running tests; .ci/run runs it in a clone',
  'npm run build': 'the tests run on what it builds',
  'npm run build:desktop': 'test/api/desktop-build.test.ts runs it',
  'npm run docs': 'another test of this file runs it',
  'npm run check': 'npm test runs it first',
  'npm run dev': 'test/api/dev.test.ts runs it',
  'npm run bench': 'it prints the list of benchmarks, which need a quiet machine',
  'npm run serve': 'test/support/serve.ts runs it for every test of the API',
  'npm run serve -- --port 8070': 'the port may be taken on this machine; test/api/start.test.ts takes free ones',
  'npm run hearth -- vault encrypt': 'test/api/vault-encryption.test.ts answers its questions',
  'npm run hearth -- vault decrypt': 'test/api/vault-encryption.test.ts answers its questions',
  'npm run hearth -- vault password': 'test/api/vault-encryption.test.ts answers its questions',
  'npm run hearth -- vault recovery-key': 'test/api/vault-encryption.test.ts answers its questions',
  'npm run hearth -- mcp': 'test/api/assistants.test.ts speaks to it',
};
const isForm = (command: string): boolean => /[A-Z]{2,}|\[|<|…/.test(command.replaceAll(/--patient [a-z-]+/g, ''));
const all = [...new Set(PAGES.flatMap(commandsOf))];

describe.skipIf(process.platform !== 'linux')('every command of the documents', () => {
  it('is found', () => {
    expect(all.length).toBeGreaterThan(20);
  });

  it('names a script of the package', () => {
    const named = all.flatMap((command) => /^npm run ([\w:]+)/.exec(command)?.[1] ?? []);
    expect(named.filter((name) => !SCRIPTS.includes(name))).toEqual([]);
  });

  it('that is not run says why, and is still there', () => {
    expect(Object.keys(NOT_RUN).filter((command) => !all.includes(command))).toEqual([]);
  });

  it('of a guide runs in a household of its own', { timeout: 300_000 }, async () => {
    for (const page of PAGES.filter((one) => one.startsWith('docs/')))
      for (const command of commandsOf(page)) {
        if (command in NOT_RUN || isForm(command)) continue;
        // Listing boards succeeds without one.
        const { stdout, stderr } = await run('sh', ['-c', command], { cwd: ROOT, env, timeout: 120_000 }).catch(
          (error: Error & { stdout: string; stderr: string }) => {
            throw new Error(`${page}: ${command}\n${error.stdout}${error.stderr}`);
          },
        );
        expect(`${stdout}${stderr}`, command).not.toMatch(/Usage: hearth \[serve\][^]*unknown/i);
      }
    expect(existsSync(join(home, 'moved-vault', 'vault.db'))).toBe(true);
    expect(readFileSync(join(home, 'report.csv'), 'utf8')).toContain('letter.pdf');
  });

  it('elsewhere is run, is a form, or says why not', () => {
    const others = PAGES.filter((page) => !page.startsWith('docs/')).flatMap(commandsOf);
    const ofGuides = PAGES.filter((page) => page.startsWith('docs/')).flatMap(commandsOf);
    const open = others.filter((command) => !(command in NOT_RUN) && !isForm(command) && !ofGuides.includes(command));
    expect(open).toEqual([]);
  });
});

it('links of pages to other files of the repository lead somewhere', () => {
  const broken = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:|#|\/)([^)#\s]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !existsSync(resolve(ROOT, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('the site is built without dead links, and loads nothing from elsewhere', { timeout: 180_000 }, async () => {
  const out = join(home, 'site');
  await run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs', '--outDir', out], {
    cwd: ROOT,
  });
  const pages = filesBelow(out).filter((path) => path.endsWith('.html'));
  expect(pages.length).toBeGreaterThan(150);
  const loaded = filesBelow(out)
    .filter((path) => /\.(?:html|css)$/.test(path))
    .flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(
        /(?:<(?:script|img|link)\b[^>]*?(?:src|href)=|url\()"?(https?:[^")\s>]+)/g,
      ),
    ])
    .map(([, address]) => address);
  expect([...new Set(loaded)]).toEqual([]);
  expect(readFileSync(join(out, 'api.html'), 'utf8')).toContain('/api/vaults/move');
});
