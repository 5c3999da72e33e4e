import { upload } from '../../../app/upload.ts';
import type { BackupSource } from '../source/source.ts';
import type { Outgoing } from './outgoing.ts';

/** Bytes asked of the backup at once. */
const PIECE = 8 * 1024 * 1024;

/** What became of a file that was sent. */
export interface Sent { status: 'pending' | 'duplicate' | 'refused'; documentId: number | null; failure: unknown }

/** Files become documents of a patient, one after the other, by the ordinary upload; where each is from is noted, and its own date. */
export async function sendAll(source: BackupSource, patientId: string, items: readonly Outgoing[], onSent: (index: number, sent: Sent) => void): Promise<void> {
  for (const [index, item] of items.entries()) onSent(index, await sendOne(source, patientId, item).catch((failure: unknown): Sent => ({ status: 'refused', documentId: null, failure })));
}

async function sendOne(source: BackupSource, patientId: string, item: Outgoing): Promise<Sent> {
  const size = await source.size(item.fileId);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < size; at += PIECE) pieces.push(await source.bytes(item.fileId, at, Math.min(size, at + PIECE)));
  const reply = await upload(new File(pieces, item.filename), { patient_id: patientId, origin: item.origin, ...(item.date !== null && { original_date: item.date }) }, () => {});
  if (reply.status === 'duplicate') return { status: 'duplicate', documentId: reply.existing_document_id, failure: null };
  const added = reply.status === 'extracted' ? reply.documents.filter((document) => document.status === 'pending') : [reply];
  return { status: 'pending', documentId: added[0]?.document_id ?? null, failure: null };
}
