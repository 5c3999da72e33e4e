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

test('describes a port that is in use or may not be used by what to do', () => {
  const error = (code: string, port: number): Error =>
    Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen', address: '127.0.0.1', port });
  expect(describeError(error('EADDRINUSE', 8070))).toBe(
    'Port 8070 is in use. If Hearth is already running, open http://localhost:8070; otherwise choose another port ' +
      'with --port 8071.',
  );
  expect(describeError(error('EADDRINUSE', 65_535))).toContain('with --port 65534.');
  expect(describeError(error('EACCES', 80))).toBe('You may not listen on port 80: choose another port with --port 81.');
  expect(describeError(error('EADDRNOTAVAIL', 8070))).toMatch(/^127\.0\.0\.1 is not an address of this computer/);
});
