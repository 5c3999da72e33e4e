import type { CallRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { columnsOf, countOf, rowsOf, type ArtifactSource, type Batch, type ReadTools } from './source.ts';
import { appleTime, flagOf, intOf, numberOf, textOf } from './column-values.ts';
import { numberOfJid, readContactNames, readNumbersByLid, WHATSAPP_DOMAIN } from './whatsapp-people.ts';

/** The service of calls in WhatsApp, as the call history of the phone names it. */
export const WHATSAPP_SERVICE = 'net.whatsapp.WhatsApp';

const MINUTE_MS = 60_000;

/** Calls in WhatsApp that the call history of the phone has as well, by direction and minute. */
export class KnownCalls {
  readonly #minutes = new Set<string>();

  add({ direction, started_at: at }: CallRow): void {
    if (at !== null) this.#minutes.add(`${direction} ${minuteOf(at)}`);
  }
  /** Whether a call began within about a minute of this one; both programs note the time. */
  has({ direction, started_at: at }: CallRow): boolean {
    return at !== null && [-1, 0, 1].some((shift) => this.#minutes.has(`${direction} ${minuteOf(at) + shift}`));
  }
}

const minuteOf = (time: string): number => Math.floor(Date.parse(`${time}Z`) / MINUTE_MS);

/**
 * Reads the calls of WhatsApp's own log, CallHistory.sqlite, that the phone does not know already: people turn off that
 * WhatsApp adds them to the phone's list. Video and direction are with the event that several calls of a group share,
 * and so are the participants. Source: https://github.com/KnugiHK/WhatsApp-Chat-Exporter and iLEAPP.
 */
export async function* readWhatsAppCalls(
  source: ArtifactSource,
  known: KnownCalls,
  tools: ReadTools,
): AsyncGenerator<Batch> {
  const db = await source.database(WHATSAPP_DOMAIN, 'CallHistory.sqlite');
  if (!db) return;
  try {
    const call = await columnsOf(db, 'ZWACDCALLEVENT', 'c');
    if (!call.exists) return;
    const event = await columnsOf(db, 'ZWAAGGREGATECALLEVENT', 'e');
    tools.expect(await countOf(db, 'ZWACDCALLEVENT'));
    const participants = await readParticipants(db);
    const [names, numbers] = [await readContactNames(source), await readNumbersByLid(source)];
    const personOf = (jid: string): Person => {
      const address = numbers.get(jid) ?? numberOfJid(jid) ?? jid;
      return { address, name: tools.people.nameOf(address) ?? names.get(jid) ?? null };
    };
    const convert = (row: SqliteRow): CallRow | null => {
      const found = callOf(row, (participants.get(intOf(row.event) ?? -1) ?? []).map(personOf));
      return known.has(found) ? null : found;
    };
    const sql = `SELECT c.Z_PK AS id, ${call.pick('identifier', 'ZCALLIDSTRING')}, ${call.pick('date', 'ZDATE')},
        ${call.pick('duration', 'ZDURATION')}, ${call.pick('event', 'Z1CALLEVENTS')},
        ${event.pick('incoming', 'ZINCOMING')}, ${event.pick('video', 'ZVIDEO')}
      FROM ZWACDCALLEVENT AS c ${event.exists ? 'LEFT JOIN ZWAAGGREGATECALLEVENT AS e ON e.Z_PK = c.Z1CALLEVENTS' : ''}
      ORDER BY c.Z_PK`;
    for await (const rows of rowsOf(db, sql, convert, tools)) yield { table: 'calls', rows };
  } finally {
    await db.close();
  }
}

interface Person {
  address: string;
  name: string | null;
}

function callOf(row: SqliteRow, people: readonly Person[]): CallRow {
  const duration = numberOf(row.duration) ?? 0;
  const [first] = people;
  return {
    call_identifier: textOf(row.identifier) ?? `whatsapp-${intOf(row.id)}`,
    address: first?.address ?? null,
    name: people.length > 1 ? people.map(({ name, address }) => name ?? address).join(', ') : (first?.name ?? null),
    service: WHATSAPP_SERVICE,
    direction: flagOf(row.incoming) ? 'incoming' : 'outgoing',
    is_answered: duration > 0,
    is_video: flagOf(row.video),
    started_at: appleTime(row.date),
    duration_seconds: duration,
  };
}

/** Reads the addresses of the participants by event. */
async function readParticipants(db: SqliteDatabase): Promise<Map<number, string[]>> {
  const byEvent = new Map<number, string[]>();
  const columns = await columnsOf(db, 'ZWACDCALLEVENTPARTICIPANT', 'p');
  if (!columns.exists) return byEvent;
  const sql = `SELECT ${columns.pick('event', 'Z1PARTICIPANTS')}, ${columns.pick('jid', 'ZJIDSTRING')}
    FROM ZWACDCALLEVENTPARTICIPANT AS p ORDER BY p.Z_PK`;
  for (const row of await db.query(sql)) {
    const [event, jid] = [intOf(row.event) ?? -1, textOf(row.jid)];
    if (jid === null) continue;
    const others = byEvent.get(event);
    if (others) others.push(jid);
    else byEvent.set(event, [jid]);
  }
  return byEvent;
}
