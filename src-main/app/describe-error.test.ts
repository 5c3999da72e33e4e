import { expect, test } from 'vitest';
import { fail } from '../platform/kernel/errors.ts';
import { describeError } from './describe-error.ts';

test('describes a failure by its text and code, with parameters that hold no personal data', () => {
  expect(describeError(fail('document.page_not_found', { page: 3 }))).toBe(
    'The document has no page 3. Choose another one. (document.page_not_found)',
  );
  expect(describeError(fail('backup.busy'))).toMatch(/ \(backup\.busy\)$/);
});

test('leaves names out of the description of a failure', () => {
  const text = describeError(fail('oidc.name_taken', { name: 'elena' }));
  expect(text).not.toContain('elena');
  expect(text).toContain('A user named … already exists.');
});

test('describes an unexpected error by its stack', () => {
  expect(describeError(new RangeError('out of range'))).toContain('describe-error.test.ts');
});
