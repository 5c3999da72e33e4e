/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractAll, getRawHeader, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { build, Platform } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagesFor, shippedFiles } from '../../scripts/desktop-packages.ts';
import { withPercentage } from '../../scripts/stage-release.ts';
import { Client } from '../support/client.ts';
import { scanned } from '../support/sample-documents.ts';
import { serve } from '../support/serve.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'hearth-package-'));
const app = join(root, 'app');
const built = join(root, 'installers', 'linux-unpacked');
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** @electron/fuses finds the fuses of a program behind this text. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** What electron-builder downloads otherwise: the files that it looks for, and a program with fuses as Electron has. */
function writeElectron(folder: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  // Version 1, and the state of each fuse as Electron is shipped.
  const states = '10111000';
  const wire = Buffer.concat([Buffer.from([1, states.length]), Buffer.from(states)]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from(`ELF ${SENTINEL}`), wire, Buffer.alloc(64)]));
  chmodSync(join(folder, 'electron'), 0o755);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak', 'locales/de.pak'])
    writeFileSync(join(folder, name), '45.4.1');
}

/** What ships, without what changes with each build: hashes of file names, and files of packages. */
function outline(files: readonly string[]): string[] {
  const short = files
    .map((file) => file.replace(/^\//, ''))
    .filter(
      (file) => !/^resources\/(?:demo|knowledge|prompts|sound|ticker|licences|providers|quotes-workflow)\/./.test(file),
    )
    .map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/.exec(file)?.[0] ?? file)
    .filter((file) => !/^node_modules(?:\/@[^/]+)?$/.test(file))
    .map((file) => file.replace(/-[\w-]{8}(?=\.\w+$)/, '-*'))
    .map((file) => file.replace(/^dist\/(renderer|share)\/assets\/.*(\.\w+)$/, 'dist/$1/assets/*$2'))
    .map((file) =>
      file.replace(/^dist\/core\/(?!(?:electron-main|cli|serve)\.|.*-(?:thread|host)\.).*\.js$/, 'dist/core/*.js'),
    )
    .map((file) => file.replace(/^dist\/core\/migrations\/.+/, 'dist/core/migrations/*'))
    .map((file) => file.replace(/linux(musl)?-(x64|arm64)/, '{system}'));
  return [...new Set(short)].toSorted();
}

describe.skipIf(process.platform !== 'linux')('the packaged desktop program', () => {
  beforeAll(async () => {
    const script = join(ROOT, 'scripts', 'build-desktop.ts');
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, '--packages', '--out', app]);
    writeElectron(join(root, 'electron'));
    await build({
      projectDir: ROOT,
      targets: Platform.LINUX.createTarget('dir'),
      publish: 'never',
      config: {
        extends: join(ROOT, 'electron-builder.yml'),
        electronDist: join(root, 'electron'),
        directories: { app, output: join(root, 'installers'), buildResources: join(app, 'resources', 'desktop') },
      },
    });
    // Bundles, pages and hundreds of megabytes of packages: minutes on a busy machine.
  }, 400_000);

  it('holds what is on the list, and nothing else', async () => {
    const archive = join(built, 'resources', 'app.asar');
    await expect(`${outline(listPackage(archive, { isPack: false })).join('\n')}\n`).toMatchFileSnapshot(
      '../fixtures/desktop/package.txt',
    );
  });

  it('has native modules and OCR data outside of the archive, where the system can open them', () => {
    const { header } = getRawHeader(join(built, 'resources', 'app.asar'));
    const unpacked: string[] = [];
    const walk = (node: { files?: Record<string, never>; unpacked?: boolean }, path: string): void => {
      if (node.unpacked && !node.files) unpacked.push(path);
      for (const [name, inner] of Object.entries(node.files ?? {})) walk(inner, `${path}/${name}`);
    };
    walk(header as never, '');
    for (const part of ['better-sqlite3', '@node-rs/argon2', '@img/sharp', 'tesseract.js-data/deu', 'ocr-models'])
      expect(unpacked.filter((path) => path.includes(part)).length, part).toBeGreaterThan(0);
    const native = listPackage(join(built, 'resources', 'app.asar'), { isPack: false }).filter((file) =>
      file.endsWith('.node'),
    );
    expect(native.length).toBeGreaterThan(2);
    expect(unpacked).toEqual(expect.arrayContaining(native));
  });

  it('has the fuses of its configuration', async () => {
    const wire = await getCurrentFuseWire(join(built, 'hearth'));
    const isOn = (fuse: FuseV1Options): boolean => wire[fuse] === FuseState.ENABLE;
    expect({
      runAsNode: isOn(FuseV1Options.RunAsNode),
      cookies: isOn(FuseV1Options.EnableCookieEncryption),
      options: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
      integrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
      files: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      ...{ runAsNode: false, cookies: true, options: false, inspect: false, integrity: true, onlyAsar: true },
      files: false,
    });
  });

  it('reads a scan under plain Node with nothing but the files of the archive', async () => {
    const files = join(root, 'extracted');
    extractAll(join(built, 'resources', 'app.asar'), files);
    const served = await serve({
      program: ['--no-strip-types', join(files, 'dist', 'core', 'serve.js')],
      // Without the tesseract of the system.
      env: { PATH: '/nonexistent' },
    });
    const person = new Client(served.url);
    await person.setup();
    const page = await scanned(['Laborbefund', 'Patientin: Elena Keller', 'Datum: 03.02.2024', 'Natrium 140 mmol/l']);
    const { body } = await person.upload(page, 'scan.png', 1);
    await person.idle();
    expect((await person.get(`/api/documents/${body.document_id}`)).body).toMatchObject({
      status: expect.not.stringMatching('failed'),
    });
    expect((await person.get(`/api/documents/${body.document_id}/text`)).status).not.toBe(500);
    await served.remove();
  });
});

describe('packages of other systems', () => {
  it.each([
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'x64'],
    ['linux', 'x64'],
  ])('%s %s gets its own native modules only, and no model runner for graphics cards', (platform, arch) => {
    const target = { platform, arch };
    const packages = packagesFor(target);
    expect(packages.filter((path) => /cuda|vulkan/.test(path))).toEqual([]);
    const natives = packages.flatMap((path) => shippedFiles(path, target)).filter((file) => /prebuilds/.test(file));
    expect(natives.some((file) => file.includes(`${platform}-`))).toBe(true);
    expect(natives.filter((file) => !file.includes(`prebuilds/${platform}-`))).toEqual([]);
  });

  it('every package keeps its license', () => {
    const target = { platform: process.platform, arch: process.arch };
    const files = shippedFiles('node_modules/better-sqlite3', target);
    expect(files).toContain('LICENSE');
    expect(files.filter((file) => file.startsWith('deps/'))).toEqual([]);
  });
});

it('a release reaches a share of installations first, and then all', () => {
  const file = 'version: 1.2.3\nfiles:\n  - url: Hearth-1.2.3.exe\n';
  const first = withPercentage(file, 10);
  expect(first).toBe(`${file}stagingPercentage: 10\n`);
  expect(withPercentage(first, 50)).toBe(`${file}stagingPercentage: 50\n`);
  expect(withPercentage(first, 100)).toBe(file);
});

describe('the parts list', () => {
  it('names every package with version, checksum and license, and is the same each time', () => {
    const write = (): string =>
      execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts', 'sbom.ts')], {
        encoding: 'utf8',
        maxBuffer: 64e6,
      });
    const text = write();
    expect(write()).toBe(text);
    const bom = JSON.parse(text) as {
      bomFormat: string;
      components: { 'bom-ref': string; name: string; version: string; purl: string; hashes?: { content: string }[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    const refs = bom.components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    for (const name of ['electron', 'better-sqlite3-multiple-ciphers', 'express', 'react', 'electron-updater'])
      expect(bom.components.find((component) => component.name === name)?.hashes?.[0]?.content).toMatch(
        /^[0-9a-f]{128}$/,
      );
    const known = new Set([...refs, 'pkg:npm/hearth@0.1.0']);
    expect(
      bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !known.has(ref)),
    ).toEqual([]);
    // What only developers use does not ship.
    for (const name of ['vitest', 'electron-builder', 'typescript'])
      expect(bom.components.map((component) => component.name)).not.toContain(name);
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { version: string };
    expect(bom).toMatchObject({ metadata: { component: { version: lock.version } } });
  });
});
