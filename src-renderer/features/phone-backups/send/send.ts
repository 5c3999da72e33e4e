import type { Missing } from '../worker/pdf-export/blocks.ts';
import { call, contract } from '../../../client/api.ts';
import { upload, type UploadReply } from '../../../client/upload.ts';
import type { BackupSource } from '../source/source.ts';
import { makePdf } from '../pdf/make-pdf.ts';
import type { Outgoing, Sendable } from './outgoing.ts';

/** Bytes requested from the backup at a time. */
const CHUNK_BYTES = 8 * 1024 * 1024;

/** The result of sending one file. */
export interface SendResult {
  status: 'pending' | 'duplicate' | 'in_trash' | 'refused';
  documentId: number | null;
  /** The item of the trash that has the content. */
  trashId?: number;
  failure: unknown;
  /** Of a PDF: the number of characters that no font has, by script. */
  missing?: Missing;
}

/** Uploads items one after the other as documents of a patient, each with its origin and its own date. */
export async function sendAll(
  source: BackupSource,
  patientId: string,
  items: readonly Sendable[],
  onSent: (index: number, result: SendResult) => void,
  { signal, onProgress = () => {} }: Partial<SendOptions> = {},
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

interface SendOptions {
  signal: AbortSignal | undefined;
  /** Receives the share of the current item that was sent. */
  onProgress: (share: number) => void;
}

async function sendOne(
  source: BackupSource,
  patientId: string,
  item: Sendable,
  options: SendOptions,
): Promise<SendResult> {
  const content =
    'content' in item
      ? await makePdf(item.content, source, { signal: options.signal, progress: options.onProgress })
      : null;
  const chunks = content ? [content.file] : await chunksOf(source, item as Outgoing, options);
  const target = {
    patient_id: patientId,
    origin: item.origin,
    ...(item.date !== null && { original_date: item.date }),
  };
  const result = outcomeOf(await upload(new File(chunks, item.filename), target, () => {}, options.signal));
  if (content) return { ...result, missing: content.missing };
  await noteSent(source.device.id, (item as Outgoing).fileId, result.documentId);
  return result;
}

/** If this fails, the file is suggested again, and sending it finds the duplicate. */
async function noteSent(backupId: string, fileId: string, documentId: number | null): Promise<void> {
  if (documentId !== null)
    await call(contract.phoneImport.recordImport, {
      body: { backup_id: backupId, file_id: fileId, document_id: documentId },
    }).catch(() => undefined);
}

async function chunksOf(
  source: BackupSource,
  { fileId }: Outgoing,
  { signal, onProgress }: SendOptions,
): Promise<Blob[]> {
  const size = await source.size(fileId, signal);
  const chunks: Blob[] = [];
  // The browser may move blobs to the disk, so that a video need not fit in memory.
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    signal?.throwIfAborted();
    chunks.push(new Blob([await source.bytes(fileId, at, Math.min(size, at + CHUNK_BYTES), signal)]));
    onProgress(at / size);
  }
  return chunks;
}

function outcomeOf(reply: UploadReply): SendResult {
  if (reply.status === 'duplicate')
    return { status: 'duplicate', documentId: reply.existing_document_id, failure: null };
  if (reply.status === 'in_trash')
    return { status: 'in_trash', documentId: null, trashId: reply.trash_id, failure: null };
  const added =
    reply.status === 'extracted' ? reply.documents.filter((document) => document.status === 'pending') : [reply];
  return { status: 'pending', documentId: added[0]?.document_id ?? null, failure: null };
}
