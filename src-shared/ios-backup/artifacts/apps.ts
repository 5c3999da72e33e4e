import type { AccountRow, AppRow } from '../../contract/phone-backups/artifacts.ts';
import { readPlistDictionary } from '../format/plist.ts';
import { isDictionary, type PlistDictionary } from '../format/plist-value.ts';
import { columnsOf, countOf, rowsOf, type ArtifactReader } from './source.ts';
import { appleTime, intOf, textOf } from './column-values.ts';

const APP_DOMAIN = 'AppDomain-';

/** Installed apps: Info.plist lists them, and the manifest's domains show which of them have files in the backup. */
export const apps: ArtifactReader = {
  name: 'apps',
  async *read(source, tools) {
    const appsByBundle = appsOfInfo(await source.info());
    for (const { domain, files, bytes } of await source.domains()) {
      if (!domain.startsWith(APP_DOMAIN)) continue;
      const bundle = domain.slice(APP_DOMAIN.length);
      const app = appsByBundle.get(bundle) ?? {
        bundle_identifier: bundle,
        name: null,
        version: null,
        has_data: false,
        file_count: 0,
        size_bytes: 0,
      };
      appsByBundle.set(bundle, { ...app, has_data: true, file_count: files, size_bytes: bytes });
    }
    tools.expect(appsByBundle.size);
    if (appsByBundle.size > 0)
      yield {
        table: 'apps',
        rows: [...appsByBundle.values()].sort((a, b) => (a.bundle_identifier < b.bundle_identifier ? -1 : 1)),
      };
  },
};

function appsOfInfo(bytes: Uint8Array | null): Map<string, AppRow> {
  const byBundle = new Map<string, AppRow>();
  const info = plistOf(bytes);
  if (!info) return byBundle;
  const details = isDictionary(info.Applications) ? info.Applications : {};
  const installed = Array.isArray(info['Installed Applications'])
    ? info['Installed Applications'].filter((bundle) => typeof bundle === 'string')
    : [];
  for (const bundle of new Set([...installed, ...Object.keys(details)])) {
    const entry = details[bundle];
    const store =
      isDictionary(entry) && entry.iTunesMetadata instanceof Uint8Array ? plistOf(entry.iTunesMetadata) : null;
    const text = (name: string): string | null => (typeof store?.[name] === 'string' ? store[name] : null);
    byBundle.set(bundle, {
      bundle_identifier: bundle,
      name: text('itemName') ?? text('title'),
      version: text('bundleShortVersionString'),
      has_data: false,
      file_count: 0,
      size_bytes: 0,
    });
  }
  return byBundle;
}

function plistOf(bytes: Uint8Array | null): PlistDictionary | null {
  if (!bytes) return null;
  try {
    return readPlistDictionary(bytes);
  } catch {
    return null;
  }
}

/** The accounts set up on the phone. Their passwords are in the keychain, which Hearth never opens. */
export const accounts: ArtifactReader = {
  name: 'accounts',
  async *read(source, tools) {
    const db = await source.database('HomeDomain', 'Library/Accounts/Accounts3.sqlite');
    if (!db) return;
    try {
      const a = await columnsOf(db, 'ZACCOUNT', 'a');
      if (!a.exists) return;
      tools.expect(await countOf(db, 'ZACCOUNT'));
      const type = await columnsOf(db, 'ZACCOUNTTYPE', 't');
      const joined = type.exists && a.has('ZACCOUNTTYPE');
      const sql = `SELECT a.Z_PK AS id, ${a.pick('identifier', 'ZIDENTIFIER')}, ${a.pick('username', 'ZUSERNAME')},
          ${a.pick('description', 'ZACCOUNTDESCRIPTION')}, ${a.pick('owner', 'ZOWNINGBUNDLEID')},
          ${a.pick('date', 'ZDATE')},
          ${joined ? `coalesce(${type.expr('ZACCOUNTTYPEDESCRIPTION')}, ${type.expr('ZIDENTIFIER')})` : 'NULL'} AS type
        FROM ZACCOUNT AS a
        ${joined ? 'LEFT JOIN ZACCOUNTTYPE AS t ON t.Z_PK = a.ZACCOUNTTYPE' : ''}
        ORDER BY a.Z_PK`;
      for await (const rows of rowsOf(
        db,
        sql,
        (row): AccountRow => ({
          account_identifier: textOf(row.identifier) ?? String(intOf(row.id)),
          type: textOf(row.type),
          username: textOf(row.username),
          description: textOf(row.description),
          owner: textOf(row.owner),
          created_at: appleTime(row.date),
        }),
        tools,
      ))
        yield { table: 'accounts', rows };
    } finally {
      await db.close();
    }
  },
};
