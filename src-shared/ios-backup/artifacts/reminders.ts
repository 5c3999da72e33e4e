import type { ReminderRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { appleTime, flagOf, intOf, textOf, uuidOf } from './column-values.ts';
import { columnsOf, rowsOf, type ArtifactReader, type Columns } from './source.ts';

/** Where the stores of Reminders are: since iOS 17 in an app group, before in the home domain. */
const LOCATIONS: readonly (readonly [domain: string, store: RegExp])[] = [
  ['AppDomainGroup-group.com.apple.reminders', /^Container_v1\/Stores\/Data-[^/]+\.sqlite$/],
  ['HomeDomain', /^Library\/Reminders\/Container_v1\/Stores\/Data-[^/]+\.sqlite$/],
];

/** The entity of reminders in the table that all objects shared before iOS 17. Its number differs between stores. */
const REMINDER_ENTITY = 'REMCDReminder';

/**
 * Reminders of all accounts; each account has a store of its own. Deleted ones, which a store keeps until they are
 * synchronized, are left out.
 * Source: github.com/abrignoni/iLEAPP, `reminders.py` and pull request 1952.
 */
export const reminders: ArtifactReader = {
  name: 'reminders',
  async *read(source, tools) {
    for (const [domain, pattern] of LOCATIONS) {
      const paths = [...(await source.files(domain)).keys()].filter((path) => pattern.test(path));
      for (const path of paths.toSorted()) {
        const db = await source.database(domain, path);
        if (!db) continue;
        try {
          const sql = await selectReminders(db);
          if (sql === null) continue;
          const [counted] = await db.query(`SELECT count(*) AS n FROM (${sql})`);
          tools.expect(Number(counted?.n ?? 0));
          const store = path.split('/').at(-1) ?? '';
          for await (const rows of rowsOf(db, sql, (row) => reminderOf(row, store), tools))
            yield { table: 'reminders', rows };
        } finally {
          await db.close();
        }
      }
    }
  },
};

/** Returns the query for a store of either generation; null if it has no reminders. */
async function selectReminders(db: SqliteDatabase): Promise<string | null> {
  const own = await columnsOf(db, 'ZREMCDREMINDER', 'r');
  if (own.exists)
    return selectFrom('ZREMCDREMINDER', own, 'ZREMCDBASELIST', await columnsOf(db, 'ZREMCDBASELIST', 'l'), 'true');
  const shared = await columnsOf(db, 'ZREMCDOBJECT', 'r');
  const entities = await columnsOf(db, 'Z_PRIMARYKEY', 'p');
  if (!shared.exists || !shared.has('Z_ENT') || !entities.exists) return null;
  const isReminder = `r.Z_ENT IN (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '${REMINDER_ENTITY}')`;
  return selectFrom('ZREMCDOBJECT', shared, 'ZREMCDOBJECT', await columnsOf(db, 'ZREMCDOBJECT', 'l'), isReminder);
}

function selectFrom(table: string, r: Columns, listTable: string, list: Columns, condition: string): string {
  const hasList = list.exists && r.has('ZLIST');
  const deleted = r.has('ZMARKEDFORDELETION') ? 'coalesce(r.ZMARKEDFORDELETION, 0) = 0' : 'true';
  return `SELECT r.Z_PK AS id, ${r.pick('uuid', 'ZIDENTIFIER', 'ZCKIDENTIFIER')},
      ${r.pick('title', 'ZTITLE', 'ZTITLE1', 'ZTITLE2')}, ${r.pick('notes', 'ZNOTES')}, ${r.pick('due', 'ZDUEDATE')},
      ${r.pick('allDay', 'ZALLDAY')}, ${r.pick('completed', 'ZCOMPLETED')},
      ${r.pick('completedAt', 'ZCOMPLETIONDATE')}, ${r.pick('flagged', 'ZFLAGGED')},
      ${r.pick('priority', 'ZPRIORITY')}, ${r.pick('created', 'ZCREATIONDATE')},
      ${hasList ? list.expr('ZNAME', 'ZNAME1', 'ZNAME2', 'ZNAME3') : 'NULL'} AS list
    FROM ${table} AS r
    ${hasList ? `LEFT JOIN ${listTable} AS l ON l.Z_PK = r.ZLIST` : ''}
    WHERE ${condition} AND ${deleted}
    ORDER BY r.Z_PK`;
}

const reminderOf = (row: SqliteRow, store: string): ReminderRow => ({
  reminder_identifier: uuidOf(row.uuid) ?? `${store} ${intOf(row.id)}`,
  title: textOf(row.title),
  notes: textOf(row.notes),
  list: textOf(row.list),
  due_at: appleTime(row.due),
  is_all_day: flagOf(row.allDay),
  is_completed: flagOf(row.completed),
  completed_at: appleTime(row.completedAt),
  is_flagged: flagOf(row.flagged),
  priority: intOf(row.priority) ?? 0,
  created_at: appleTime(row.created),
});
