import { describe, expect, it } from 'vitest';
import { ownWords, parseFlags } from '../flags.ts';
import { parseOpened, pathOfLink } from './arguments.ts';

describe('a hearth:// link', () => {
  it.each([
    ['hearth://documents/12', '/documents/12'],
    ['hearth://documents', '/documents'],
    ['hearth://labs/', '/labs'],
    ['hearth://imaging/3', '/imaging/3'],
    ['hearth://review', '/review'],
    ['HEARTH://documents/12', '/documents/12'],
  ])('%s opens %s', (link, path) => {
    expect(pathOfLink(link)).toBe(path);
  });

  it.each([
    'hearth://documents/12?find=secret',
    'hearth://documents/12#x',
    'hearth://documents/../settings',
    'hearth://documents/12/file',
    'hearth://documents/-1',
    'hearth://documents/1e9',
    'hearth://user:word@documents/12',
    'hearth://documents:80/12',
    'hearth://api/documents/12',
    'hearth://settings/log',
    'hearth:javascript:alert(1)',
    'https://documents/12',
    'file:///etc/passwd',
    `hearth://documents/${'1'.repeat(300)}`,
    '',
  ])('%s opens nothing', (link) => {
    expect(pathOfLink(link)).toBeNull();
  });
});

it('what the system passes on is separated into files and a link', () => {
  expect(parseOpened(['/home/ada/letter.pdf', '--flag', 'hearth://evil/1', 'hearth://labs', 'IM0001'])).toEqual({
    files: ['/home/ada/letter.pdf', 'IM0001'],
    path: '/labs',
  });
});

it('flags of Chromium and debuggers are left out, and those of Hearth are read', () => {
  const words = ['--inspect=0', '--remote-debugging-port=0', '--no-sandbox', '--vault=/v', '--safe-mode', 'a.pdf'];
  expect(parseFlags(ownWords(words))).toMatchObject({
    config: { 'vault.path': '/v' },
    safeMode: true,
    words: ['a.pdf'],
  });
});
