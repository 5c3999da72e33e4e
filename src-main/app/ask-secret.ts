import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { CommandInput } from './command-input.ts';

/** Lines that were read from standard input and not asked for yet, by the input: what follows a line comes with it. */
const waiting = new WeakMap<object, AsyncIterator<string>>();

/**
 * Asks for a line without showing what is typed, or takes the next line where standard input is not a terminal; null at
 * its end.
 */
export function askSecret(command: Pick<CommandInput, 'input'>, question: string): Promise<string | null> {
  return askLine(command, question, false);
}

/** Asks for a line and shows what is typed. */
export async function askLine(
  { input = process.stdin }: Pick<CommandInput, 'input'>,
  question: string,
  isShown: boolean = true,
): Promise<string | null> {
  const isTerminal = 'isTTY' in input && input.isTTY === true;
  if (!isTerminal) return nextLine(input);
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: isShown ? process.stderr : silent, terminal: true });
  return new Promise((resolve) => {
    let line: string | null = null;
    lines.once('line', (typed) => {
      line = typed;
      lines.close();
    });
    lines.once('SIGINT', () => lines.close());
    // A terminal that went away cannot answer.
    lines.once('error', () => lines.close());
    lines.once('close', () => {
      if (!isShown) process.stderr.write('\n');
      resolve(line);
    });
  });
}

/** A pipe that nobody reads at the moment must not keep the program alive. */
type Source = NonNullable<CommandInput['input']> & { ref?(): void; unref?(): void };

async function nextLine(input: Source): Promise<string | null> {
  input.ref?.();
  const lines = waiting.get(input) ?? createInterface({ input })[Symbol.asyncIterator]();
  waiting.set(input, lines);
  const { done, value } = await lines.next();
  input.unref?.();
  return done ? null : value;
}
