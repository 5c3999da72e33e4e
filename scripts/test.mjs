// `npm test`: installs what it needs, checks the house, builds, and runs every test.
import { install, NODE, run } from './install.mjs';

install();
run(NODE, ['scripts/check.ts']);
run(NODE, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']);
run(NODE, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]);
