import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags } from '../../src-main/app/flags.ts';
import { runCore } from '../../src-main/app/supervisor.ts';
import { loadConfig } from '../../src-main/platform/config/load.ts';

/** The parts of `serve` in serve.ts that tests use who do not look at the process itself. */
interface ServedHere {
  url: string;
  backupsUrl: string;
  shareUrl: string | null;
  vault: string;
  stop(): Promise<number>;
  remove(): Promise<void>;
}

/**
 * Replaces `serve` of serve.ts in mutation tests (vitest.mutation.config.ts): it runs the core in the test's own
 * process, since a separate program would run without the mutants.
 */
export async function serve({
  vault = mkdtempSync(join(tmpdir(), 'hearth-mutation-')),
  args = [],
  env = {},
}: {
  vault?: string;
  args?: string[];
  env?: Record<string, string>;
} = {}): Promise<ServedHere> {
  const configFolder = mkdtempSync(join(tmpdir(), 'hearth-mutation-config-'));
  Object.assign(process.env, { XDG_CONFIG_HOME: configFolder, VAULT_LOG_LEVEL: 'silent' }, env);
  const { config } = parseFlags([
    '--vault',
    vault,
    '--port',
    '0',
    '--phone-backups-port',
    '0',
    '--share-port',
    '0',
    ...args,
  ]);
  const core = await runCore({ config: loadConfig(config) }, (error) => {
    throw error;
  });
  let isStopped = false;
  const stop = async (): Promise<number> => {
    if (!isStopped) await core.stop();
    isStopped = true;
    return 0;
  };
  return {
    url: core.url,
    backupsUrl: core.backupsUrl ?? '',
    shareUrl: core.shareUrl(),
    vault,
    stop,
    async remove() {
      await stop();
      for (const folder of [vault, configFolder]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
