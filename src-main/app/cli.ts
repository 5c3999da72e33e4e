import { loadConfig } from '../platform/config/load.ts';
import { cacheCompiledCode } from './compile-cache.ts';
import { describeError } from './describe-error.ts';
import { isCommand, parseFlags, USAGE } from './flags.ts';

/** `hearth COMMAND`: the command line. */
async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  const [name = 'serve', ...words] = flags.words;
  if (name === 'serve') return void (await import('./serve.ts'));
  cacheCompiledCode();
  if (flags.help || !isCommand(name)) {
    process.stdout.write(`${USAGE}\n`);
    process.exitCode = flags.help ? 0 : 2;
    return;
  }
  const { COMMANDS } = await import('./commands.ts');
  process.exitCode = await COMMANDS[name]({
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
