import { beforeEach, describe, expect, it } from 'vitest';
import { session } from '../../../test/fakes/electron.ts';
import { guardPermissions } from './permissions.ts';

const OURS = 'http://127.0.0.1:8070';
const { defaultSession } = session;
beforeEach(() => {
  defaultSession.removeAllListeners();
  guardPermissions(defaultSession, { origin: OURS, backups: () => '/home/ada/Library/MobileSync/Backup' });
});

const readFolder = { filePath: '/media/disk/phones', isDirectory: true, fileAccessType: 'readable' };
function request(
  permission: string,
  details: object = {},
  from = `${OURS}/phones`,
  isMainFrame = true,
): boolean | undefined {
  let granted: boolean | undefined;
  defaultSession.request?.(
    {} as never,
    permission as never,
    (answer) => {
      granted = answer;
    },
    { requestingUrl: from, isMainFrame, ...details } as never,
  );
  return granted;
}
const check = (permission: string, details: object = {}, from = `${OURS}/`): boolean | undefined =>
  defaultSession.check?.({} as never, permission as never, from, { isMainFrame: false, ...details } as never);

describe('permissions of the page', () => {
  it.each([
    'media',
    'geolocation',
    'notifications',
    'midi',
    'usb',
    'hid',
    'clipboard-read',
    'display-capture',
    'openExternal',
    'unknown',
    'constructor',
    '__proto__',
  ])('%s is refused', (permission) => {
    expect([request(permission, readFolder), check(permission, readFolder)]).toEqual([false, false]);
  });

  it('grants reading only a folder that the user picked', () => {
    expect(check('fileSystem', readFolder)).toBe(false);
    expect(request('fileSystem', readFolder)).toBe(true);
    expect(check('fileSystem', readFolder)).toBe(true);
    expect(check('fileSystem', { ...readFolder, filePath: '/media/disk' })).toBe(false);
    expect(check('fileSystem', { ...readFolder, filePath: '/media/disk/phones/../../../etc' })).toBe(false);
  });

  it.each([
    ['writing into it', { ...readFolder, fileAccessType: 'writable' }],
    ['without saying which access', { ...readFolder, fileAccessType: undefined }],
    ['a single file', { ...readFolder, isDirectory: false }],
    ['without a path', { ...readFolder, filePath: '' }],
  ])('%s is refused, before and after the folder was picked', (_what, details) => {
    expect([request('fileSystem', details), check('fileSystem', details)]).toEqual([false, false]);
    request('fileSystem', readFolder);
    expect([request('fileSystem', details), check('fileSystem', details)]).toEqual([false, false]);
  });

  it.each([
    ['another page', 'https://id.example.org/login'],
    ['another port', 'http://127.0.0.1:8071/'],
    ['a file', 'file:///etc/passwd'],
    ['nobody', ''],
    ['a twin', `${OURS}.example.org/`],
  ])('%s gets nothing', (_who, from) => {
    request('fileSystem', readFolder);
    expect([
      request('fileSystem', readFolder, from),
      check('fileSystem', readFolder, from),
      request('clipboard-sanitized-write', {}, from),
    ]).toEqual([false, false, false]);
  });

  it('grants nothing to a frame within our page', () => {
    expect(request('fileSystem', readFolder, OURS, false)).toBe(false);
  });

  it('grants our page, and no other one, to ask for a serial port', () => {
    expect([request('serial'), check('serial')]).toEqual([true, true]);
    for (const other of ['https://id.example.org/login', 'http://127.0.0.1:8071/'])
      expect([request('serial', {}, other), check('serial', {}, other)]).toEqual([false, false]);
  });

  it('grants copying text', () => {
    expect([request('clipboard-sanitized-write'), check('clipboard-sanitized-write')]).toEqual([true, true]);
  });

  it.each([
    ['/home/ada/Library/MobileSync/Backup', true, OURS, 'allow'],
    ['/home/ada/Library/MobileSync/Backup/0001', true, `${OURS}/`, 'allow'],
    ['/home/ada/Library/MobileSync/Backup/0001/Manifest.db', false, OURS, 'tryAgain'],
    ['/home/ada/Library', true, OURS, 'tryAgain'],
    ['/home/ada/Library/MobileSync/Backup2', true, OURS, 'tryAgain'],
    ['/home/ada/Library/MobileSync/Backup/../../Keychains', true, OURS, 'tryAgain'],
    ['/home/ada/Library/MobileSync/Backup', true, 'https://example.org', 'deny'],
  ])('%s, which Chromium keeps from pages: folder %s for %s: %s', (path, isDirectory, origin, expected) => {
    const answers: string[] = [];
    defaultSession.emit('file-system-access-restricted', {}, { path, isDirectory, origin }, (answer: string) =>
      answers.push(answer),
    );
    expect(answers).toEqual([expected]);
  });
});
