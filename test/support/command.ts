import { spawn } from 'node:child_process';
import { HEARTH } from './program.ts';

/** Runs `hearth …` to its end; returns its exit code and its output. */
export function hearth(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [HEARTH, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  return new Promise((resolve) => void child.once('close', (code) => resolve({ code, said })));
}
