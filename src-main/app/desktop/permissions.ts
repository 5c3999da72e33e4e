import { isAbsolute, relative, sep } from 'node:path';
import type { FileSystemAccessRestrictedDetails, FilesystemPermissionRequest, Session } from 'electron';

type FileAccess = Pick<FilesystemPermissionRequest, 'fileAccessType' | 'filePath' | 'isDirectory'>;

/** Permits reading a folder, never writing. The path comes from the system's picker; the page can't specify one. */
const folderToRead = ({ fileAccessType, filePath, isDirectory }: FileAccess): string | null =>
  fileAccessType === 'readable' && isDirectory === true && filePath ? filePath : null;

/**
 * The only permissions that a page can get; everything else is refused. `request` is called when the page asks, `check`
 * on each use (Electron reports no main frame for files, and only the origin for some checks).
 */
const PERMITTED: {
  readonly [permission: string]: {
    request(access: FileAccess, picked: Set<string>): boolean;
    check(access: FileAccess, picked: ReadonlySet<string>): boolean;
  };
} = {
  fileSystem: {
    request(access, picked) {
      const folder = folderToRead(access);
      if (folder === null) return false;
      picked.add(folder);
      return true;
    },
    check(access, picked) {
      const folder = folderToRead(access);
      return folder !== null && picked.has(folder);
    },
  },
  /** Permits asking for a serial port; which one, the user selects or has selected before (`serial-ports.ts`). */
  serial: { request: () => true, check: () => true },
  /** Permits copying text; pasting is a separate permission. */
  'clipboard-sanitized-write': { request: () => true, check: () => true },
};

const originOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : null;

function isWithin(folder: string, path: string): boolean {
  const fromFolder = relative(folder, path);
  const isOutside = fromFolder === '..' || fromFolder.startsWith(`..${sep}`) || isAbsolute(fromFolder);
  return folder !== '' && !isOutside;
}

type PermissionSession = Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'> & {
  on(
    event: 'file-system-access-restricted',
    listener: (
      event: unknown,
      details: FileSystemAccessRestrictedDetails,
      answer: (action: 'allow' | 'deny' | 'tryAgain') => void,
    ) => void,
  ): unknown;
};

/**
 * Refuses all permissions except the listed ones, and refuses those to foreign pages. `backups` returns the folder of
 * phone backups.
 */
export function guardPermissions(
  session: PermissionSession,
  { origin, backups }: { origin: string; backups: () => string },
): void {
  const picked = new Set<string>();
  const rulesOf = (permission: string) => (Object.hasOwn(PERMITTED, permission) ? PERMITTED[permission] : undefined);
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(
      details.isMainFrame &&
        originOf(details.requestingUrl) === origin &&
        rulesOf(permission)?.request(details as FileAccess, picked) === true,
    );
  });
  session.setPermissionCheckHandler(
    (_contents, permission, requesting, details) =>
      originOf(requesting) === origin && rulesOf(permission)?.check(details, picked) === true,
  );
  // Chromium doesn't let pages read folders such as ~/Library and AppData, which contain phone backups; without a reply
  // its picker never closes.
  session.on('file-system-access-restricted', (_event, details, answer) => {
    if (originOf(details.origin) !== origin) return answer('deny');
    answer(details.isDirectory && isWithin(backups(), details.path) ? 'allow' : 'tryAgain');
  });
}
