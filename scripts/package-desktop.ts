/**
 * `npm run package [-- flags of electron-builder]`: builds the pages, the folder of the desktop program and its
 * installers for this system into dist/installers, prints their sizes, and fails if one is larger than the budget.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const APP = join(ROOT, 'dist', 'desktop-app');
const INSTALLERS = join(ROOT, 'dist', 'installers');
const MAX_INSTALLER_BYTES = 180_000_000;
const INSTALLER = /\.(?:dmg|exe|AppImage|deb|rpm|zip)$/;

/** Runs a script of Node; ends this process with its exit code when it fails. */
function run(...args: string[]): void {
  const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(INSTALLERS, { recursive: true, force: true });
for (const config of ['vite.config.ts', 'vite.share.config.ts'])
  run(join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--config', config, '--logLevel', 'warn');
run(join('scripts', 'build-desktop.ts'), '--packages', '--out', APP);
run(join('node_modules', 'electron-builder', 'cli.js'), '--config', 'electron-builder.yml', ...process.argv.slice(2));
run(join('scripts', 'sbom.ts'), '--out', join(INSTALLERS, 'hearth.cdx.json'));

const files = existsSync(INSTALLERS) ? readdirSync(INSTALLERS).filter((name) => INSTALLER.test(name)) : [];
const sizes = files.map((name) => ({ name, bytes: statSync(join(INSTALLERS, name)).size }));
const lines = sizes.map(({ name, bytes }) => `${name}: ${(bytes / 1e6).toFixed(1)} of ${MAX_INSTALLER_BYTES / 1e6} MB`);
process.stdout.write(`${lines.join('\n')}\n`);
writeFileSync(join(INSTALLERS, 'sizes.txt'), `${lines.join('\n')}\n`);
if (sizes.some(({ bytes }) => bytes > MAX_INSTALLER_BYTES)) {
  process.stderr.write('An installer is larger than its budget.\n');
  process.exitCode = 1;
}
