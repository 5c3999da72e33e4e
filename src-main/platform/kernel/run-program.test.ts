import { expect, test } from 'vitest';
import { ProgramMissing, runProgram } from './run-program.ts';

const node = (script: string, options: Partial<Parameters<typeof runProgram>[2]> = {}) =>
  runProgram(process.execPath, ['-e', script], { timeoutMs: 20_000, ...options });

test('passes bytes through a program unchanged', async () => {
  const stdin = Uint8Array.from({ length: 200_000 }, (_, i) => i % 256);
  const { code, stdout } = await node('process.stdin.pipe(process.stdout)', { stdin });
  expect(code).toBe(0);
  expect(Buffer.compare(stdout, Buffer.from(stdin))).toBe(0);
});

test('returns a failing exit code with the output of the program', async () => {
  expect(await node('process.stderr.write("no such language"); process.exitCode = 4')).toMatchObject({
    code: 4,
    stderr: 'no such language',
  });
});

test('works with a program that does not read its input', async () => {
  expect(await node('process.exit(0)', { stdin: new Uint8Array(4 * 2 ** 20) })).toMatchObject({ code: 0 });
});

test('reports a program that is not installed', async () => {
  await expect(runProgram('hearth-program-that-nobody-has', [], { timeoutMs: 5000 })).rejects.toBeInstanceOf(
    ProgramMissing,
  );
});

test('ends the program when it is cancelled and throws the reason', async () => {
  const stop = new AbortController();
  const running = node('setInterval(() => {}, 1000)', { signal: stop.signal });
  stop.abort(new Error('cancelled by a person'));
  await expect(running).rejects.toThrow('cancelled by a person');
});

test('ends a program that never ends', async () => {
  await expect(node('setInterval(() => {}, 1000)', { timeoutMs: 200 })).rejects.toMatchObject({ name: 'AbortError' });
});

test('ends a program that writes without end and stores no more than the limit', async () => {
  const { code, stdout } = await node('const more = () => process.stdout.write("x".repeat(65536), more); more()', {
    maxOutput: 100_000,
  });
  expect(code).not.toBe(0);
  expect(stdout.length).toBeLessThanOrEqual(100_000);
});

test('passes only the variables of its list, such as PATH', async () => {
  const secrets = ['NODE_OPTIONS', 'VAULT_SECRET_KEY', 'SECURITY__API_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'LC_ALL'];
  const saved = { ...process.env };
  Object.assign(process.env, Object.fromEntries(secrets.map((name) => [name, '--no-warnings'])), { LANG: 'C' });
  delete process.env['TESSDATA_PREFIX'];
  try {
    const { stdout } = await node('process.stdout.write(JSON.stringify(process.env))');
    const seen = JSON.parse(stdout.toString()) as Record<string, string>;
    expect(Object.keys(seen).filter((name) => secrets.includes(name))).toEqual([]);
    expect(seen).toMatchObject({ PATH: process.env['PATH'], LANG: 'C' });
    expect(seen).not.toHaveProperty('TESSDATA_PREFIX');
  } finally {
    for (const name of [...secrets, 'LANG']) delete process.env[name];
    Object.assign(process.env, saved);
  }
});

test('passes where Tesseract finds its languages', async () => {
  const saved = process.env['TESSDATA_PREFIX'];
  process.env['TESSDATA_PREFIX'] = '/languages';
  try {
    const { stdout } = await node('process.stdout.write(process.env.TESSDATA_PREFIX)');
    expect(stdout.toString()).toBe('/languages');
  } finally {
    if (saved === undefined) delete process.env['TESSDATA_PREFIX'];
    else process.env['TESSDATA_PREFIX'] = saved;
  }
});

test('passes the settings of a program and no secrets', async () => {
  process.env['HEARTH_SECRET_FOR_TEST'] = 'hidden';
  try {
    const { stdout } = await node(
      'process.stdout.write(JSON.stringify([process.env.OMP_THREAD_LIMIT, process.env.HEARTH_SECRET_FOR_TEST ?? null]))',
      { env: { OMP_THREAD_LIMIT: '1' } },
    );
    expect(JSON.parse(stdout.toString())).toEqual(['1', null]);
  } finally {
    delete process.env['HEARTH_SECRET_FOR_TEST'];
  }
});
