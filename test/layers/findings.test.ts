import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectAnswers, readFindings } from '../support/findings.ts';
import { ROOT } from '../support/lint.ts';

const findings = readFindings(readFileSync(join(ROOT, 'test/FINDINGS.md'), 'utf8'));

/** How many findings each review has: security, reading, phone backups, pages. */
const COUNTS = { S: 14, R: 16, F: 19, U: 21 };

test('each finding of the reviews is in the table, in order', () => {
  const wanted = Object.entries(COUNTS).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
  );
  expect(findings.map(({ finding }) => finding)).toEqual(wanted);
});

test.each(findings)('the tests or the decision that answer $finding exist', (finding) => expectAnswers(finding, ROOT));
