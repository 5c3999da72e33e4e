import { spawn } from 'node:child_process';

export interface ProgramOptions {
  stdin?: Uint8Array;
  env?: Record<string, string>;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
  /** Maximum number of output bytes; a program that writes more is terminated. */
  maxOutput?: number;
}
export interface ProgramResult {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

/** The program is not installed. */
export class ProgramMissing extends Error {}

const MAX_OUTPUT = 64 * 2 ** 20;
const MAX_STDERR = 16 * 1024;

function reasonOf(error: NodeJS.ErrnoException, command: string, signal: AbortSignal | undefined): Error {
  if (error.code === 'ENOENT') return new ProgramMissing(command);
  return signal?.aborted ? (signal.reason as Error) : error;
}

/**
 * Runs a program without a shell. Throws `ProgramMissing`, or the signal's reason; a non-zero exit code is returned.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  { stdin, env, signal, timeoutMs, maxOutput = MAX_OUTPUT }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      killSignal: 'SIGKILL',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      env: { ...inheritedEnvironment(), ...env },
    });
    const out: Buffer[] = [];
    let size = 0;
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutput) child.kill('SIGKILL');
      else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < MAX_STDERR) stderr += chunk.toString();
    });
    child.once('error', (error: NodeJS.ErrnoException) => reject(reasonOf(error, command, signal)));
    child.once('close', (code) => resolve({ code, stdout: Buffer.concat(out), stderr }));
    // If a program exits before it has read its input, the pipe breaks; the exit code gives the reason.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin ?? new Uint8Array());
  });
}

/** The environment variables that programs need; none of them can contain a secret. */
export function inheritedEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'TESSDATA_PREFIX', 'LD_LIBRARY_PATH'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
