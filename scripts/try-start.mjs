/**
 * Takes the first step of a newcomer: `npm start` in a folder where nothing is installed or built, until the page is
 * there, then Ctrl+C. `.ci/run` does this in a fresh clone before `npm test`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const vault = mkdtempSync(join(tmpdir(), 'hearth-newcomer-'));
const started = Date.now();
const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
const flags = ['--port', '0', '--phone-backups-port', '0', '--vault', join(vault, 'vault')];
const child = spawn('npm', ['start', '--', ...flags], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
let [output, firstLine] = ['', null];

/** Resolves with the address that the program prints. */
const listening = new Promise((resolve, reject) => {
  child.stdout.on('data', (chunk) => {
    output += chunk.toString();
    firstLine ??= seconds();
    process.stdout.write(chunk);
    const url = /Hearth listens on (http:\/\/\S+)/.exec(output)?.[1];
    if (url && output.includes('Press Ctrl+C')) resolve(url);
  });
  child.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)));
});

try {
  const url = await listening;
  const [page, health] = await Promise.all(['/', '/health'].map((path) => fetch(url + path)));
  const html = await page.text();
  if (!page.ok || !html.includes('<script') || (await health.json()).status !== 'ok')
    throw new Error('the page is not served');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // As the terminal does: to the whole group.
  process.kill(-child.pid, 'SIGINT');
  await ended;
  process.stdout.write(`npm start: first line after ${firstLine}, page after ${seconds()}\n`);
} finally {
  if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
  rmSync(vault, { recursive: true, force: true });
}
