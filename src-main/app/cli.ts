import { loadConfig } from '../platform/config/load.ts';
import { cacheCompiledCode } from './compile-cache.ts';
import { describeError } from './describe-error.ts';
import { parseFlags, USAGE } from './flags.ts';

/** `hearth COMMAND`: the command line. */
async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  const [name = 'serve', ...words] = flags.words;
  if (name === 'serve') return void (await import('./serve.ts'));
  cacheCompiledCode();
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
    print: (line) => void process.stdout.write(`${line}\n`),
  });
}

await main().catch((error: unknown) => {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
});
