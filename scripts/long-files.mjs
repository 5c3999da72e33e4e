/**
 * Test files of which every test is long, by the tag in their first comment (ADR 0127). `npm test` does not even load
 * them, which would take half a minute; CI runs them. As a program, it prints them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { ROOT } from './install.mjs';

const TAGGED = /^\/\*\*(?:(?!\*\/)[^])*@module-tag long\b/;

/** Their paths within the project, with slashes. */
export const longFiles = () =>
  ['src-main', 'src-renderer', 'src-shared', 'test']
    .flatMap((area) => readdirSync(`${ROOT}/${area}`, { recursive: true }).map((name) => `${area}/${name}`))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.ts') && TAGGED.test(readFileSync(`${ROOT}/${path}`, 'utf8')));

if (process.argv[1]?.endsWith('long-files.mjs')) process.stdout.write(`${longFiles().join('\n')}\n`);
