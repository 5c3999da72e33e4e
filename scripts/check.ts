/**
 * `npm run check`: types, lint and import rules, format, dead code, generated files, migrations, and the shape of the
 * code.
 * Steps run side by side; each prints its line when it ends, and what it has to say when it fails.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NODE = process.execPath;
/** A tool of npm by the script that its package names, so that no shell is needed on any system. */
const tool = (path: string): string => join(ROOT, 'node_modules', path);
const script = (name: string): string => join('scripts', name);

interface Step {
  name: string;
  args: readonly string[];
  /** Its output is shown also when it passes. */
  isReport?: boolean;
}

const TYPED = [
  'src-shared',
  'src-main',
  'src-renderer',
  'test',
  'scripts',
  'src-main/app/desktop/preload.tsconfig.json',
  'scripts/quotes-workflow.tsconfig.json',
  'scripts/configs.tsconfig.json',
];

/** The longest first, so that the others run beside it. */
const STEPS: readonly Step[] = [
  { name: 'types', args: [tool('typescript/bin/tsc'), '-b', ...TYPED, '--builders', '2', '--checkers', '1'] },
  { name: 'lint and import rules', args: [tool('oxlint/bin/oxlint'), '--deny-warnings', '.'] },
  { name: 'format', args: [script('format.ts'), '--check'] },
  { name: 'plain English in Markdown', args: [script('check-prose.mjs')] },
  { name: 'dead exports and packages', args: [tool('knip/bin/knip.js'), '--no-progress'] },
  { name: 'lock of packages', args: [script('check-lock.ts')] },
  { name: 'generated files', args: [script('generate.ts'), '--check'] },
  { name: 'third-party notices', args: [script('third-party-notices.ts'), '--check'] },
  { name: 'settings page of the ticker', args: [script('firmware-page.ts'), '--check'] },
  { name: 'migrations', args: [script('check-migrations.ts')] },
  { name: 'layout', args: [script('layout.ts')], isReport: true },
];

/** Runs a step to its end; true when it passed. */
function runStep({ name, args, isReport = false }: Step): Promise<boolean> {
  const started = performance.now();
  const child = spawn(NODE, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve) => {
    const end = (passed: boolean, problem = ''): void => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
      if (!passed || isReport) process.stdout.write(`${problem}${Buffer.concat(output).toString()}\n`);
      resolve(passed);
    };
    child.once('error', (error) => end(false, error.message));
    child.once('close', (code) => end(code === 0));
  });
}

/** Runs all steps, as many at once as there are processors. */
async function runSteps(): Promise<boolean> {
  const waiting = [...STEPS];
  let passed = true;
  const runNext = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) passed = (await runStep(step)) && passed;
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runNext));
  return passed;
}

process.exitCode = (await runSteps()) ? 0 : 1;
