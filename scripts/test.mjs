/**
 * `npm test` checks the code, builds it and runs every test but the deep ones.
 * `npm run test:unit` and its siblings run one group without the check; more arguments go to Vitest.
 */
import { install, NODE, run } from './install.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';

/** Projects of vitest.config.ts in each group, and whether its tests open the built pages. */
const GROUPS = {
  unit: { projects: ['unit'], needsBuild: false },
  api: { projects: ['api', 'security', 'phone-backups', 'fuzz', 'layers', 'tickers', 'crash'], needsBuild: true },
  e2e: { projects: ['e2e'], needsBuild: true },
  firmware: { projects: ['firmware'], needsBuild: false },
  deep: { projects: ['deep'], needsBuild: true },
};

const only = (projects) => projects.flatMap((name) => ['--project', name]);
/** The household's pages, and the page of recipients. */
const build = () => {
  for (const config of ['vite.config.ts', 'vite.share.config.ts'])
    run(NODE, ['node_modules/vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn']);
};

const [first, ...rest] = process.argv.slice(2);
const group = GROUPS[first];
install();
if (group) {
  if (group.needsBuild) build();
  run(NODE, [VITEST, 'run', ...only(group.projects), ...rest]);
} else if (first === 'watch') {
  run(NODE, [VITEST, 'watch', ...only(GROUPS.unit.projects), ...rest]);
} else {
  run(NODE, ['scripts/check.ts']);
  build();
  run(NODE, [VITEST, 'run', '--project', '!deep', ...process.argv.slice(2)]);
}
