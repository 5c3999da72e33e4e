import { and, count, eq } from 'drizzle-orm';
import type { Relevance } from '../../../src-shared/contract/events.ts';
import type { Database } from '../../platform/database/connection.ts';
import { event_documents, events } from '../../platform/database/schema/index.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';

export type EventRecord = typeof events.$inferSelect;
export type EventFields = Partial<typeof events.$inferInsert>;

type WireRow = Omit<EventRecord, 'slug'> & { patient_name: string | null; document_count: number };
interface EventLinkRow {
  link_id: number;
  document_id: number;
  relevance: Relevance;
  auto_linked: boolean;
}
interface ListOptions {
  patientIds: number[];
  types: string[] | undefined;
  limit: number;
  offset: number;
}

const marks = (values: unknown[]): string => values.map(() => '?').join(',');
const SELECT = `SELECT e.*, p.display_name AS patient_name,
  (SELECT count(*) FROM event_documents AS x WHERE x.event_id = e.id) AS document_count
  FROM events AS e JOIN patients AS p ON p.id = e.patient_id`;

export type EventRepository = ReturnType<typeof createEventRepository>;

/** Reads and writes events. */
export const createEventRepository = (db: Database) =>
  bindFirst(db, {
    list: listEvents,
    wire: findWireEvent,
    get: findEvent,
    links: listLinks,
    documentIds: listDocumentIds,
    documentCount: countDocuments,
    hasSlug,
    insert: insertEvent,
    update: updateEvent,
  });

const wireRow = (row: unknown): WireRow => ({
  ...(row as WireRow),
  is_ongoing: (row as { is_ongoing: unknown }).is_ongoing === 1,
});

/** Lists events, newest start first, events without a start last. */
function listEvents(
  db: Database,
  { patientIds, types, limit, offset }: ListOptions,
): { items: WireRow[]; total: number } {
  const where = `e.patient_id IN (${marks(patientIds)})${types ? ` AND e.event_type IN (${marks(types)})` : ''}`;
  const values = [...patientIds, ...(types ?? [])];
  return {
    items: db
      .prepare(`${SELECT} WHERE ${where} ORDER BY e.date_start IS NULL, e.date_start DESC, e.id DESC LIMIT ? OFFSET ?`)
      .all(...values, limit, offset)
      .map(wireRow),
    total: (db.prepare(`SELECT count(*) AS n FROM events AS e WHERE ${where}`).get(...values) as { n: number }).n,
  };
}

function findWireEvent(db: Database, id: number): WireRow | undefined {
  const row = db.prepare(`${SELECT} WHERE e.id = ?`).get(id);
  return row === undefined ? undefined : wireRow(row);
}

const findEvent = ({ orm }: Database, id: number): EventRecord | undefined =>
  orm.select().from(events).where(eq(events.id, id)).get();

/** Lists the links of an event, oldest document first, those without a date last. */
function listLinks(db: Database, id: number): EventLinkRow[] {
  const links = db
    .prepare(
      `SELECT x.rowid AS link_id, x.document_id, x.relevance, x.auto_linked FROM event_documents AS x
        JOIN documents AS d ON d.id = x.document_id
        WHERE x.event_id = ? ORDER BY d.event_date IS NULL, d.event_date, d.id`,
    )
    .all(id) as (Omit<EventLinkRow, 'auto_linked'> & { auto_linked: number })[];
  return links.map((link) => ({ ...link, auto_linked: link.auto_linked === 1 }));
}

const listDocumentIds = ({ orm }: Database, id: number): number[] =>
  orm
    .select({ id: event_documents.document_id })
    .from(event_documents)
    .where(eq(event_documents.event_id, id))
    .all()
    .map((row) => row.id);

const countDocuments = ({ orm }: Database, id: number): number =>
  orm.select({ n: count() }).from(event_documents).where(eq(event_documents.event_id, id)).get()?.n ?? 0;

/** Whether an event of the patient has the slug, including those in the trash, which may be restored. */
const hasSlug = (db: Database, patientId: number, slug: string): boolean =>
  db.orm
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.patient_id, patientId), eq(events.slug, slug)))
    .get() !== undefined ||
  db
    .prepare(
      `SELECT 1 FROM trash AS t, json_each(t.rows, '$[0].rows') AS r
        WHERE t.kind = 'event' AND t.patient_id = ? AND r.value ->> '$.slug' = ?`,
    )
    .get(patientId, slug) !== undefined;

const insertEvent = ({ orm }: Database, fields: typeof events.$inferInsert): number =>
  orm.insert(events).values(fields).returning({ id: events.id }).get().id;

function updateEvent({ orm }: Database, id: number, fields: EventFields): void {
  orm.update(events).set(fields).where(eq(events.id, id)).run();
}
