import { columnsOf, type ArtifactSource } from './source.ts';
import { textOf } from './column-values.ts';

/** The folder that the parts of WhatsApp share. */
export const WHATSAPP_DOMAIN = 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared';

/** Converts the JID of a person to a phone number; other JIDs are returned unchanged. */
export function numberOfJid(jid: string | null): string | null {
  if (!jid?.endsWith('@s.whatsapp.net')) return jid;
  return `+${jid.slice(0, jid.indexOf('@')).split(':')[0]}`;
}

/** Reads the names that WhatsApp copied from the address book: ContactsV2.sqlite. */
export async function readContactNames(source: ArtifactSource): Promise<Map<string, string>> {
  const db = await source.database(WHATSAPP_DOMAIN, 'ContactsV2.sqlite');
  if (!db) return new Map();
  try {
    const c = await columnsOf(db, 'ZWAADDRESSBOOKCONTACT', 'c');
    if (!c.exists) return new Map();
    const rows = await db.query(
      `SELECT ${c.pick('jid', 'ZWHATSAPPID')}, ${c.pick('lid', 'ZLID')},
          ${c.pick('name', 'ZFULLNAME', 'ZGIVENNAME', 'ZBUSINESSNAME')}
        FROM ZWAADDRESSBOOKCONTACT AS c`,
    );
    return new Map(
      rows.flatMap((row) =>
        [textOf(row.jid), textOf(row.lid)].flatMap((jid): [string, string][] =>
          jid !== null && textOf(row.name) !== null ? [[jid, textOf(row.name) ?? '']] : [],
        ),
      ),
    );
  } finally {
    await db.close();
  }
}

/** Reads phone numbers by the identifiers (LID) that WhatsApp has used for people since 2024: LID.sqlite. */
export async function readNumbersByLid(source: ArtifactSource): Promise<Map<string, string>> {
  const db = await source.database(WHATSAPP_DOMAIN, 'LID.sqlite');
  if (!db) return new Map();
  try {
    const c = await columnsOf(db, 'ZWAZACCOUNT', 'c');
    if (!c.exists) return new Map();
    const rows = await db.query(
      `SELECT ${c.pick('lid', 'ZIDENTIFIER')}, ${c.pick('number', 'ZPHONENUMBER')} FROM ZWAZACCOUNT AS c`,
    );
    return new Map(
      rows.flatMap((row): [string, string][] => {
        const lid = textOf(row.lid);
        const digits = textOf(row.number)?.replace(/@.*/, '').replace(/\D/g, '');
        return lid !== null && digits ? [[lid.includes('@') ? lid : `${lid}@lid`, `+${digits}`]] : [];
      }),
    );
  } finally {
    await db.close();
  }
}
