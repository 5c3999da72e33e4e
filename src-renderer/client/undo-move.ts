import type { DocumentDetail } from '../../src-shared/contract/rows.ts';
import { call, contract } from './api.ts';

/**
 * Gives a document back to the person it had before it was moved, with their events. One of which it was undecided whose
 * it is waits for a decision again.
 */
export async function undoMove({
  id,
  patient_id,
  patient_undecided,
  event_links,
}: Pick<DocumentDetail, 'id' | 'patient_id' | 'patient_undecided' | 'event_links'>): Promise<void> {
  if (patient_undecided)
    await call(contract.review.answer, { body: { answer: 'reopen', document_ids: [id], patient_id } });
  const body = { ...(!patient_undecided && { patient_id }), ...(event_links.length > 0 && { event_links }) };
  if (Object.keys(body).length > 0) await call(contract.documents.update, { params: { id: String(id) }, body });
}
