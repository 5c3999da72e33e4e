import { and, eq, ne } from 'drizzle-orm';
import type { Relevance } from '../../../src-shared/contract/events.ts';
import type { EventLink } from '../../../src-shared/contract/rows.ts';
import type { Database } from '../../platform/database/connection.ts';
import { event_documents } from '../../platform/database/schema/index.ts';

/** Lists ids of an event's documents greater than `after`, ascending. */
export const documentsOfEventAfter = (db: Database, eventId: number, after: number, limit: number): number[] =>
  db
    .prepare(
      'SELECT document_id FROM event_documents WHERE event_id = ? AND document_id > ? ORDER BY document_id LIMIT ?',
    )
    .pluck()
    .all(eventId, after, limit) as number[];

/** Adds or changes the link of a document to an event. */
export function linkToEvent({ orm }: Database, eventId: number, documentId: number, relevance: Relevance): void {
  orm
    .insert(event_documents)
    .values({ event_id: eventId, document_id: documentId, relevance })
    .onConflictDoUpdate({
      target: [event_documents.event_id, event_documents.document_id],
      set: { relevance, auto_linked: false },
    })
    .run();
}

/** Removes the link of a document to an event; returns whether there was one. */
export const unlinkFromEvent = ({ orm }: Database, eventId: number, documentId: number): boolean =>
  orm
    .delete(event_documents)
    .where(and(eq(event_documents.event_id, eventId), eq(event_documents.document_id, documentId)))
    .run().changes > 0;

/** Removes all links of a document to events. */
export function unlinkFromEvents({ orm }: Database, documentId: number): void {
  orm.delete(event_documents).where(eq(event_documents.document_id, documentId)).run();
}

/** Makes all other primary links of the document secondary. */
export function demoteOtherEvents({ orm }: Database, documentId: number, primaryEventId: number | null): void {
  orm
    .update(event_documents)
    .set({ relevance: 'secondary' })
    .where(
      and(
        eq(event_documents.document_id, documentId),
        eq(event_documents.relevance, 'primary'),
        ...(primaryEventId === null ? [] : [ne(event_documents.event_id, primaryEventId)]),
      ),
    )
    .run();
}

/**
 * Removes links to events of other patients (either side may have moved while the other was in the trash), and makes
 * `documents.event_id` the only primary link.
 */
export function repairEventLinks(db: Database, documentIds: readonly number[]): void {
  const ids = JSON.stringify(documentIds);
  const idsFromJson = '(SELECT value FROM json_each(?))';
  db.prepare(
    `DELETE FROM event_documents AS x WHERE document_id IN ${idsFromJson}
    AND (SELECT patient_id FROM events WHERE id = x.event_id)
      IS NOT (SELECT patient_id FROM documents WHERE id = x.document_id)`,
  ).run(ids);
  db.prepare(
    `UPDATE documents AS d SET event_id = NULL WHERE id IN ${idsFromJson} AND event_id IS NOT NULL
    AND (SELECT patient_id FROM events WHERE id = d.event_id) IS NOT d.patient_id`,
  ).run(ids);
  db.prepare(
    `UPDATE event_documents AS x SET relevance = 'secondary' WHERE document_id IN ${idsFromJson} AND relevance = 'primary'
    AND event_id IS NOT (SELECT event_id FROM documents WHERE id = x.document_id)`,
  ).run(ids);
  db.prepare(
    `INSERT INTO event_documents (event_id, document_id, relevance)
    SELECT d.event_id, d.id, 'primary' FROM json_each(?) AS wanted JOIN documents AS d ON d.id = wanted.value
    WHERE d.event_id IS NOT NULL
    ON CONFLICT (event_id, document_id) DO UPDATE SET relevance = 'primary', auto_linked = 0`,
  ).run(ids);
}

/** The events of a document, in the order of their ids. */
export const listEventLinks = (db: Database, documentId: number): EventLink[] =>
  db
    .prepare('SELECT event_id, relevance FROM event_documents WHERE document_id = ? ORDER BY event_id')
    .all(documentId) as EventLink[];
