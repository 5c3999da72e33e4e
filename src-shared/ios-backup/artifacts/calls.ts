import type { CallRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import {
  columnsOf,
  countOf,
  rowsOf,
  type ArtifactReader,
  type ArtifactSource,
  type Batch,
  type Columns,
  type ReadTools,
} from './source.ts';
import { KnownCalls, readWhatsAppCalls, WHATSAPP_SERVICE } from './whatsapp-calls.ts';
import { appleTime, bytesOf, flagOf, intOf, numberOf, textOf, unixTime, utf8 } from './column-values.ts';

const SERVICES: Record<number, string> = { 1: 'phone', 8: 'facetime_video', 16: 'facetime_audio' };
/** `ZSERVICE_PROVIDER` of calls without a type. */
const PROVIDERS: Record<string, string> = { 'com.apple.Telephony': 'phone', 'com.apple.FaceTime': 'facetime_audio' };

/**
 * Calls of the phone and of apps: ZCALLRECORD of CallHistory.storedata, or `call` of call_history.db on phones set up
 * before iOS 8; then those that only WhatsApp knows.
 */
export const calls: ArtifactReader = {
  name: 'calls',
  async *read(source, tools) {
    const inWhatsApp = new KnownCalls();
    for await (const batch of readCallHistory(source, tools)) {
      if (batch.table === 'calls')
        for (const row of batch.rows) if (row.service === WHATSAPP_SERVICE) inWhatsApp.add(row);
      yield batch;
    }
    yield* readWhatsAppCalls(source, inWhatsApp, tools);
  },
};

async function* readCallHistory(source: ArtifactSource, tools: ReadTools): AsyncGenerator<Batch> {
  const db = await source.database('HomeDomain', 'Library/CallHistoryDB/CallHistory.storedata');
  if (!db) return yield* readOldCalls(source, tools);
  try {
    const record = await columnsOf(db, 'ZCALLRECORD', 'c');
    if (!record.exists) return;
    tools.expect(await countOf(db, 'ZCALLRECORD'));
    const participants = await readParticipants(db);
    const convert = (row: SqliteRow): CallRow => callOf(row, participants.get(intOf(row.id) ?? -1) ?? [], tools);
    for await (const rows of rowsOf(db, selectCalls(record), convert, tools)) yield { table: 'calls', rows };
  } finally {
    await db.close();
  }
}

const selectCalls = (record: Columns): string =>
  `SELECT c.Z_PK AS id, ${record.pick('uuid', 'ZUNIQUE_ID')}, ${record.pick('address', 'ZADDRESS')},
      ${record.pick('name', 'ZNAME')}, ${record.pick('provider', 'ZSERVICE_PROVIDER')},
      ${record.pick('type', 'ZCALLTYPE')}, ${record.pick('originated', 'ZORIGINATED')},
      ${record.pick('answered', 'ZANSWERED')}, ${record.pick('date', 'ZDATE')},
      ${record.pick('duration', 'ZDURATION')}
    FROM ZCALLRECORD AS c ORDER BY c.Z_PK`;

function callOf(row: SqliteRow, participants: readonly string[], { people }: ReadTools): CallRow {
  // Before iOS 11 the number is stored as text, since then as the bytes of the text.
  const bytes = bytesOf(row.address);
  const address = (bytes ? utf8(bytes) : textOf(row.address)) ?? participants[0] ?? null;
  const groupName =
    participants.length > 1 ? participants.map((handle) => people.nameOf(handle) ?? handle).join(', ') : null;
  const type = intOf(row.type);
  const provider = textOf(row.provider);
  const duration = numberOf(row.duration) ?? 0;
  const isOutgoing = flagOf(row.originated);
  return {
    call_identifier: textOf(row.uuid) ?? String(intOf(row.id)),
    address,
    name: groupName ?? people.nameOf(address) ?? textOf(row.name),
    service: SERVICES[type ?? -1] ?? PROVIDERS[provider ?? ''] ?? provider,
    direction: isOutgoing ? 'outgoing' : 'incoming',
    is_answered: isOutgoing ? duration > 0 : flagOf(row.answered) || duration > 0,
    is_video: type === 8,
    started_at: appleTime(row.date),
    duration_seconds: duration,
  };
}

/**
 * Reads the other participants by call: `Z_2REMOTEPARTICIPANTHANDLES`, whose number and columns differ by release,
 * joins calls and ZHANDLE.
 */
async function readParticipants(db: SqliteDatabase): Promise<Map<number, string[]>> {
  const byCall = new Map<number, string[]>();
  const handle = await columnsOf(db, 'ZHANDLE', 'h');
  if (!handle.exists) return byCall;
  for (const { name } of await db.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*REMOTEPARTICIPANTHANDLES'",
  )) {
    const columns = await db.columns(textOf(name) ?? '');
    const call = columns.find((column) => /^Z_\d+REMOTEPARTICIPANTCALLS$/.test(column));
    const person = columns.find((column) => /^Z_\d+REMOTEPARTICIPANTHANDLES$/.test(column));
    if (call === undefined || person === undefined) continue;
    for (const row of await db.query(
      `SELECT j."${call}" AS id, ${handle.pick('handle', 'ZVALUE', 'ZNORMALIZEDVALUE')}
        FROM "${textOf(name)}" AS j
        JOIN ZHANDLE AS h ON h.Z_PK = j."${person}" ORDER BY h.Z_PK`,
    )) {
      const value = textOf(row.handle);
      if (value !== null) byCall.set(intOf(row.id) ?? -1, [...(byCall.get(intOf(row.id) ?? -1) ?? []), value]);
    }
  }
  return byCall;
}

async function* readOldCalls(source: ArtifactSource, tools: ReadTools): AsyncGenerator<Batch> {
  const db = await source.database('WirelessDomain', 'Library/CallHistory/call_history.db');
  if (!db) return;
  try {
    const call = await columnsOf(db, 'call', 'c');
    if (!call.exists) return;
    tools.expect(await countOf(db, 'call'));
    const sql = `SELECT c.ROWID AS id, ${call.pick('address', 'address')}, ${call.pick('date', 'date')},
        ${call.pick('duration', 'duration')}, ${call.pick('flags', 'flags')}
      FROM call AS c ORDER BY c.ROWID`;
    for await (const rows of rowsOf(db, sql, (row) => oldCallOf(row, tools), tools)) yield { table: 'calls', rows };
  } finally {
    await db.close();
  }
}

function oldCallOf(row: SqliteRow, { people }: ReadTools): CallRow {
  const address = textOf(row.address);
  const duration = numberOf(row.duration) ?? 0;
  return {
    call_identifier: String(intOf(row.id)),
    address,
    name: people.nameOf(address),
    service: 'phone',
    // Bit 0 marks outgoing calls.
    direction: ((intOf(row.flags) ?? 0) & 1) === 1 ? 'outgoing' : 'incoming',
    is_answered: duration > 0,
    is_video: false,
    started_at: unixTime(row.date),
    duration_seconds: duration,
  };
}
