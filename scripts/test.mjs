/**
 * `npm test` checks the code, builds it and runs the tests that are quick enough to be run after each change.
 * `npm run test:long` does the same with every test but the deep ones; CI does that. With names of test files, both run
 * these alone, without the check.
 * `npm run test:unit` and its siblings run one group without the check; more arguments go to Vitest.
 */
import { buildPages } from './build-pages.mjs';
import { install, NODE, ROOT, run } from './install.mjs';
import { longFiles } from './long-files.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';

/**
 * Threads that unit tests start take what they share compiled from here, a tenth
 * of their time. Other tests start the product, which has a folder of its own.
 */
const COMPILED = { NODE_COMPILE_CACHE: `${ROOT}/node_modules/.cache/compiled` };
const runVitest = (args, leavesOutLong = false) =>
  run(NODE, [VITEST, ...args, ...(leavesOutLong ? ['--tags-filter', '!long'] : [])], {
    ...(first === 'unit' && COMPILED),
    // Read by vitest.config.ts.
    ...(leavesOutLong && { HEARTH_LONG_FILES: longFiles().join('\n') }),
  });

/** Whether long tests may be left out: not where tests are asked for by their tags or files. */
const asksForAll = (args) => !args.some((arg) => arg === '--tags-filter' || arg.endsWith('.test.ts'));

/** Projects of vitest.config.ts in each group, and whether its tests open the built pages. */
const GROUPS = {
  unit: { projects: ['unit', 'unit-bundled'], needsBuild: false, quick: true },
  api: { projects: ['api', 'crash'], needsBuild: true },
  e2e: { projects: ['e2e'], needsBuild: true },
  // The packaged program, which HEARTH_DESKTOP_PROGRAM names.
  desktop: { projects: ['desktop'], needsBuild: false },
  firmware: { projects: ['firmware'], needsBuild: false },
  deep: { projects: ['deep'], needsBuild: true },
};

const only = (projects) => projects.flatMap((name) => ['--project', name]);

const [first, ...rest] = process.argv.slice(2);
const group = GROUPS[first];
install();
if (group) {
  if (group.needsBuild) buildPages();
  runVitest(['run', ...only(group.projects), ...rest], group.quick && asksForAll(rest));
} else if (first === 'watch') {
  runVitest(['watch', ...only(GROUPS.unit.projects), ...rest]);
} else {
  const args = first === 'long' ? rest : process.argv.slice(2);
  // Whoever names files has something else to look at than the whole code.
  if (!args.some((arg) => arg.endsWith('.test.ts'))) run(NODE, ['scripts/check.ts']);
  buildPages();
  runVitest(['run', '--project', '!deep', ...args], first !== 'long' && asksForAll(args));
}
