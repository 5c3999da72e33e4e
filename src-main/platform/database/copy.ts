import type Sqlite from 'better-sqlite3';
import { openVaultDatabase } from './encryption.ts';
import { isOnlyHere, SETTING_NAMES, SETTINGS } from '../../../src-shared/contract/setting-keys.ts';
import { ensurePrivateDatabase } from '../kernel/private-file.ts';

/**
 * Writes a consistent copy of an open database to a new file, without what belongs to this computer: sessions are
 * useless elsewhere, and a restore ends all of them.
 */
export function copyDatabase(source: Pick<Sqlite.Database, 'prepare'>, to: string): void {
  ensurePrivateDatabase(to);
  source.prepare('VACUUM INTO ?').run(to);
  removeLocal(to);
}

/**
 * Ends all sessions of a database that is not open, and forgets settings that run programs: a backup may come from
 * somebody else. Ids of sessions must not remain in free pages of the file.
 */
export function removeLocal(file: string): void {
  const db = openVaultDatabase(file, { fileMustExist: true });
  try {
    db.pragma('trusted_schema = OFF');
    db.pragma('secure_delete = ON');
    const has = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
    if (has.get('sessions')) db.exec('DELETE FROM sessions');
    const keys = SETTING_NAMES.filter(isOnlyHere).map((name) => SETTINGS[name].key);
    if (has.get('settings'))
      db.prepare('DELETE FROM settings WHERE key IN (SELECT value FROM json_each(?))').run(JSON.stringify(keys));
  } finally {
    db.close();
  }
}
