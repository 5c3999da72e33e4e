import { and, count, eq } from 'drizzle-orm';
import type { Relevance } from '../../../src-shared/contract/events.ts';
import type { Database } from '../../platform/database/connection.ts';
import { event_documents, events } from '../../platform/database/schema/index.ts';

export type EventRecord = typeof events.$inferSelect;
export type EventFields = Partial<typeof events.$inferInsert>;

const marks = (values: unknown[]): string => values.map(() => '?').join(',');
const COUNT = '(SELECT count(*) FROM event_documents AS x WHERE x.event_id = e.id)';
type WireRow = Omit<EventRecord, 'slug'> & { patient_name: string | null; document_count: number };

export type EventRepository = ReturnType<typeof createEventRepository>;

/** Reads and writes events. */
export function createEventRepository(db: Database) {
  const { orm } = db;
  const wire = (row: unknown): WireRow => ({
    ...(row as WireRow),
    is_ongoing: (row as { is_ongoing: unknown }).is_ongoing === 1,
  });
  const select = `SELECT e.*, p.display_name AS patient_name, ${COUNT} AS document_count FROM events AS e
    JOIN patients AS p ON p.id = e.patient_id`;
  return {
    /** Newest start first, events without a start last. */
    list({
      patientIds,
      types,
      limit,
      offset,
    }: {
      patientIds: number[];
      types: string[] | undefined;
      limit: number;
      offset: number;
    }): { items: WireRow[]; total: number } {
      const where = `e.patient_id IN (${marks(patientIds)})${types ? ` AND e.event_type IN (${marks(types)})` : ''}`;
      const values = [...patientIds, ...(types ?? [])];
      return {
        items: db
          .prepare(
            `${select} WHERE ${where} ORDER BY e.date_start IS NULL, e.date_start DESC, e.id DESC LIMIT ? OFFSET ?`,
          )
          .all(...values, limit, offset)
          .map(wire),
        total: (db.prepare(`SELECT count(*) AS n FROM events AS e WHERE ${where}`).get(...values) as { n: number }).n,
      };
    },
    wire(id: number): WireRow | undefined {
      const row = db.prepare(`${select} WHERE e.id = ?`).get(id);
      return row === undefined ? undefined : wire(row);
    },
    get: (id: number): EventRecord | undefined => orm.select().from(events).where(eq(events.id, id)).get(),
    /** Links of an event, oldest document first, those without a date last. */
    links: (id: number): { document_id: number; relevance: Relevance; auto_linked: boolean }[] =>
      (
        db
          .prepare(`SELECT x.document_id, x.relevance, x.auto_linked FROM event_documents AS x
            JOIN documents AS d ON d.id = x.document_id
        WHERE x.event_id = ? ORDER BY d.event_date IS NULL, d.event_date, d.id`)
          .all(id) as { document_id: number; relevance: Relevance; auto_linked: number }[]
      ).map((link) => ({ ...link, auto_linked: link.auto_linked === 1 })),
    documentIds: (id: number): number[] =>
      orm
        .select({ id: event_documents.document_id })
        .from(event_documents)
        .where(eq(event_documents.event_id, id))
        .all()
        .map((row) => row.id),
    documentCount: (id: number): number =>
      orm.select({ n: count() }).from(event_documents).where(eq(event_documents.event_id, id)).get()?.n ?? 0,
    /** Whether an event of the patient has the slug, including those in the trash, which may be restored. */
    hasSlug: (patientId: number, slug: string): boolean =>
      orm
        .select({ id: events.id })
        .from(events)
        .where(and(eq(events.patient_id, patientId), eq(events.slug, slug)))
        .get() !== undefined ||
      db
        .prepare(
          `SELECT 1 FROM trash AS t, json_each(t.rows, '$[0].rows') AS r
            WHERE t.kind = 'event' AND t.patient_id = ? AND r.value ->> '$.slug' = ?`,
        )
        .get(patientId, slug) !== undefined,
    insert: (fields: typeof events.$inferInsert): number =>
      orm.insert(events).values(fields).returning({ id: events.id }).get().id,
    update: (id: number, fields: EventFields): void =>
      void orm.update(events).set(fields).where(eq(events.id, id)).run(),
  };
}
