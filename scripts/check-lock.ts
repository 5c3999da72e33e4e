/**
 * The lock names the optional packages of every platform: npm leaves some out when it installs on one, and then `npm
 * ci` fails elsewhere.
 */
import { readFileSync } from 'node:fs';

interface Locked {
  optionalDependencies?: Record<string, string>;
}
const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};

const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
);
if (missing.length > 0) {
  process.stderr.write(
    `package-lock.json lacks ${missing.join(', ')}: restore their entries, or write the lock anew ` +
      'without node_modules.\n',
  );
  process.exitCode = 1;
}

/** Whether a package at `path` finds `name` in its own folder of packages or in one above it, as Node looks for it. */
function isLocked(path: string, name: string): boolean {
  if (`${path && `${path}/`}node_modules/${name}` in packages) return true;
  return (
    path !== '' &&
    isLocked(path.includes('/node_modules/') ? path.slice(0, path.lastIndexOf('/node_modules/')) : '', name)
  );
}
