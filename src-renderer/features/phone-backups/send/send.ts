import type { Missing } from '../worker/pdf-export/blocks.ts';
import { call, contract } from '../../../client/api.ts';
import { upload, type UploadReply } from '../../../client/upload.ts';
import type { BackupSource } from '../source/source.ts';
import { makePdf } from '../pdf/make-pdf.ts';
import type { Outgoing, Sendable } from './outgoing.ts';

/** Bytes requested from the backup at a time. */
const PIECE = 8 * 1024 * 1024;

/** The result of sending one file. */
export interface SendResult {
  status: 'pending' | 'duplicate' | 'refused';
  documentId: number | null;
  failure: unknown;
  /** Of a PDF: how many characters of which scripts have no font. */ missing?: Missing;
}

/** Files become documents of a patient, one after the other, by the ordinary upload; where each is from is noted, and its own date. */
export async function sendAll(
  source: BackupSource,
  patientId: string,
  items: readonly Sendable[],
  onSent: (index: number, result: SendResult) => void,
  {
    signal,
    onProgress = () => {},
  }: { signal?: AbortSignal; /** Share of the one under way. */ onProgress?: (share: number) => void } = {},
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (signal?.aborted) return;
    const result = await sendOne(source, patientId, item, { signal, onProgress }).catch(
      (failure: unknown): SendResult => ({
        status: 'refused',
        documentId: null,
        failure,
      }),
    );
    if (!signal?.aborted) onSent(index, result);
  }
}

interface Watched {
  signal: AbortSignal | undefined;
  onProgress: (share: number) => void;
}

async function sendOne(source: BackupSource, patientId: string, item: Sendable, watched: Watched): Promise<SendResult> {
  const content =
    'content' in item
      ? await makePdf(item.content, source, { signal: watched.signal, progress: watched.onProgress })
      : null;
  const pieces = content ? [content.file] : await piecesOf(source, item as Outgoing, watched);
  const target = {
    patient_id: patientId,
    origin: item.origin,
    ...(item.date !== null && { original_date: item.date }),
  };
  const result = outcomeOf(await upload(new File(pieces, item.filename), target, () => {}, watched.signal));
  if (content) return { ...result, missing: content.missing };
  await noteSent(source.device.id, (item as Outgoing).fileId, result.documentId);
  return result;
}

/** Where this fails, the file is only suggested once more, and is known as a duplicate then. */
async function noteSent(backupId: string, fileId: string, documentId: number | null): Promise<void> {
  if (documentId !== null)
    await call(contract.phone.noteSent, {
      body: { backup_id: backupId, file_id: fileId, document_id: documentId },
    }).catch(() => undefined);
}

async function piecesOf(source: BackupSource, { fileId }: Outgoing, { signal, onProgress }: Watched): Promise<Blob[]> {
  const size = await source.size(fileId, signal);
  const pieces: Blob[] = [];
  // As blobs the browser may keep them on the disk: a film does not have to fit in memory.
  for (let at = 0; at < size; at += PIECE) {
    signal?.throwIfAborted();
    pieces.push(new Blob([await source.bytes(fileId, at, Math.min(size, at + PIECE), signal)]));
    onProgress(at / size);
  }
  return pieces;
}

function outcomeOf(reply: UploadReply): SendResult {
  if (reply.status === 'duplicate')
    return { status: 'duplicate', documentId: reply.existing_document_id, failure: null };
  const added =
    reply.status === 'extracted' ? reply.documents.filter((document) => document.status === 'pending') : [reply];
  return { status: 'pending', documentId: added[0]?.document_id ?? null, failure: null };
}
