import { ConfigError, loadConfig } from '../platform/config/load.ts';
import { Failure } from '../platform/kernel/errors.ts';
import { parseFlags, USAGE } from './flags.ts';

/** `hearth COMMAND`: everything that is done without a window. */
async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  const [name = 'serve', ...words] = flags.words;
  if (name === 'serve') return void (await import('./serve.ts'));
  const { COMMANDS } = await import('./commands.ts');
  const command = COMMANDS[name];
  if (flags.help || !command) {
    process.stdout.write(`${USAGE}\n`);
    process.exitCode = flags.help ? 0 : 2;
    return;
  }
  process.exitCode = await command({
    config: loadConfig({ ...flags.config, 'log.level': 'error' }),
    flags,
    words,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
}

main().catch((error: unknown) => {
  const known =
    error instanceof Failure ||
    error instanceof ConfigError ||
    error instanceof TypeError ||
    ['VaultInUse', 'BackupExists', 'BackupUnfinished', 'BackupDamaged', 'VaultNotEmpty', 'NewerDatabaseError'].includes(
      (error as Error).name,
    );
  process.stderr.write(`${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exitCode = 1;
});
