import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectAnswers, readFindings } from '../support/findings.ts';
import { FIRMWARE } from '../support/firmware.ts';

const findings = readFindings(readFileSync(join(FIRMWARE, 'test/FINDINGS.md'), 'utf8'));

test('each finding of the review is in the table, in order', () => {
  const wanted = [
    ...Array.from({ length: 8 }, (_, at) => `A${at + 1}`),
    ...Array.from({ length: 20 }, (_, at) => `B${at + 1}`),
  ];
  expect(findings.map(({ finding }) => finding)).toEqual(wanted);
});

test.each(findings)('the tests that hold $finding exist', (finding) => expectAnswers(finding, join(FIRMWARE, 'test')));
