/**
 * Mutated inputs for every reader of phone backups: `npm run fuzz:backups [-- --inputs 20000 --from 1 --target
 * keybag]`.
 */
import { parseArgs } from 'node:util';
import { fuzz } from './run.ts';
import { TARGETS } from './targets.ts';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    target: { type: 'string' },
  },
});
let failed = 0;
for (const { name } of TARGETS.filter((target) => values.target === undefined || target.name === values.target)) {
  const start = performance.now(),
    report = await fuzz(name, Number(values.inputs), Number(values.from));
  if (report.failure !== null) failed += 1;
  process.stdout.write(
    `${report.failure === null ? 'ok  ' : 'FAIL'} ${name.padEnd(16)} ${report.inputs} inputs, ` +
      `${report.refused} refused, slowest ${report.slowest.toFixed(0)} ms, ${report.grownMb} MB, ` +
      `${((performance.now() - start) / 1000).toFixed(0)} s${report.failure === null ? '' : `\n     ${report.failure}`}\n`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;
