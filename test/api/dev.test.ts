/** @module-tag long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Client } from '../support/client.ts';

const DEV = fileURLToPath(new URL('../../scripts/dev.ts', import.meta.url));

it('npm run dev serves the sources of the user interface and the core, and rejects foreign pages', async () => {
  const place = mkdtempSync(join(tmpdir(), 'hearth-dev-test-'));
  const child = spawn(process.execPath, [DEV, '--vault', join(place, 'vault')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, XDG_CONFIG_HOME: place, APPDATA: place, VAULT_LOG_LEVEL: 'error' },
  });
  try {
    let said = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const page = /Open (http:\S+)\//.exec(said)?.[1];
        if (page && said.includes('Hearth listens on')) resolve(page);
      });
      child.once('exit', () => reject(new Error(`it ended: ${said}`)));
    });
    const person = new Client(url);
    expect((await person.get('/')).body).toContain('/@vite/client');
    expect((await person.get('/health')).body).toEqual({ status: 'ok', mode: 'core' });
    const setUp = (origin: string) =>
      person.call(
        'POST',
        '/api/setup/complete',
        { username: 'ann', password: 'correct horse battery', patient_name: 'Elena Keller' },
        { origin },
      );
    expect((await setUp('https://evil.example')).status).toBe(403);
    expect((await setUp(url)).status).toBeLessThan(300);
    expect((await person.get('/api/auth/me')).body.username).toBe('ann');
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    rmSync(place, { recursive: true, force: true });
  }
}, 60_000);
