import { addressOf, contract, failureOf, OWN_HEADERS, unreachable } from './api.ts';
import type { Reply } from '../../src-shared/contract/endpoint.ts';

export type UploadReply = Reply<typeof contract.documents.upload>;

export interface UploadTarget {
  patient_id?: string;
  event_id?: string;
  /** Source of the file, with its own date. */ origin?: string;
  original_date?: string;
  /** Adds content that is in the trash as a new document. */ as_new?: '1';
}

/**
 * Uploads one file by XMLHttpRequest, because fetch reports no upload progress.
 * @param onProgress share of the file that has been sent, 0–1
 * @throws ApiError; its code is `request.aborted` if `signal` aborted it
 */
export function upload(
  file: File,
  target: UploadTarget,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<UploadReply> {
  return sendFile(
    addressOf(contract.documents.upload, { query: { ...target } }),
    contract.documents.upload.file,
    file,
    onProgress,
    signal,
  );
}

/** Sends a file to any upload endpoint, such as `replaceFile`. */
export function sendFile<R>(
  address: string,
  field: string,
  file: File,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<R> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    for (const [name, value] of Object.entries(OWN_HEADERS)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(JSON.parse(request.responseText) as R);
      else reject(failureOf(request.status, request.responseText));
    };
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(failureOf(400, '{"code":"request.aborted"}'));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    const body = new FormData();
    body.append(field, file, file.name);
    request.send(body);
  });
}

/** Sends the fields of a form, one of which is a file, to an endpoint. */
export async function sendForm<R>(address: string, fields: Readonly<Record<string, string | File>>): Promise<R> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const reply = await fetch(address, { method: 'POST', credentials: 'same-origin', headers: OWN_HEADERS, body }).catch(
    () => {
      throw unreachable();
    },
  );
  if (!reply.ok) throw failureOf(reply.status, await reply.text());
  return (await reply.json()) as R;
}
