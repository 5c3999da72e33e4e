import { expect, it } from 'vitest';
import { parseFlags } from './flags.ts';

it('takes the folder and port of phone backups by their names and by the former ones', () => {
  const expected = { 'phone_backups.base_path': '/phones', 'phone_backups.port': '0' };
  expect(parseFlags(['--phone-backups', '/phones', '--phone-backups-port', '0']).config).toEqual(expected);
  expect(parseFlags(['--backups', '/phones', '--backups-port', '0']).config).toEqual(expected);
});

it('rejects an unknown flag', () => {
  expect(() => parseFlags(['--valut', '/tmp'])).toThrow(TypeError);
});
