import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, type Overrides } from './config/load.ts';
import { startCore, type Core } from './core.ts';

/** A throw-away vault with a fictional household already read in; gone when the program ends. */
export async function startDemo(overrides: Overrides): Promise<{ core: Core; mode: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-demo-'));
  const config = loadConfig({ ...overrides, 'vault.path': folder });
  const core = await startCore({ config });
  const stop = core.stop.bind(core);
  return { mode: config.mode, core: { ...core, stop: async () => { await stop(); await rm(folder, { recursive: true, force: true }); } } };
}
