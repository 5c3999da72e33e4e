import busboy from 'busboy';
import type { Request } from 'express';
import { fail, Failure } from '../kernel/errors.ts';
import type { ReceivedFile, Vault } from '../vault/vault.ts';
import type { FormFields } from './form-fields.ts';

/** A complete, flushed file in the vault's tmp folder; `filename` comes from the sender and is not safe yet. */
export interface UploadedFile extends ReceivedFile {
  filename: string;
}

/** What is expected of a multipart request. */
export interface ExpectedForm<Given> {
  /** The field of the file. */
  field: string;
  /** Reads the other fields; an error of it refuses the request. */
  readFields: (fields: FormFields) => Given;
}

/**
 * Streams the single file of a multipart request into the vault's tmp folder and hashes it, with constant memory. On
 * any failure (too large, aborted, no file, wrong fields, full disk) nothing is left behind.
 */
export async function receiveFile<Given>(
  req: Request,
  { field, readFields }: ExpectedForm<Given>,
  vault: Vault,
  limit: number,
): Promise<UploadedFile & { given: Given }> {
  const parser = openParser(req);
  const fields: [string, string][] = [];
  const broken = new AbortController();
  let receiving: Promise<UploadedFile> | undefined;
  const received = new Promise<UploadedFile>((resolve, reject) => {
    parser.on('file', (name, stream, info) => {
      if (name !== field || receiving) {
        fields.push([name, info.filename ?? '']);
        // Unused parts are drained; the parser reports when they are cut off.
        return void stream.on('error', () => undefined).resume();
      }
      receiving = vault
        .receive(stream, { limit, signal: broken.signal })
        .then((file) => ({ ...file, filename: info.filename ?? '' }));
      // A failed write ends the request at once, not only when the sender has finished.
      receiving.catch(reject);
    });
    const refuse = () => reject(fail('request.malformed'));
    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      if (nameTruncated || valueTruncated) refuse();
      fields.push([name, value]);
    });
    for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) parser.once(event, refuse);
    parser.once('close', () =>
      receiving ? receiving.then(resolve, reject) : reject(fail('upload.no_file', { field })),
    );
    // A parser that is destroyed after its first error emits another one, and an unhandled error would end the program.
    parser.on('error', (error) => reject(fail('request.malformed', undefined, error)));
    const breakOff = () => {
      if (req.complete) return;
      broken.abort();
      reject(fail('request.aborted'));
    };
    req.once('close', breakOff);
    req.once('error', breakOff);
  });
  req.pipe(parser);
  try {
    return { ...(await received), given: readFields(fields) };
  } catch (error) {
    req.unpipe(parser);
    parser.destroy();
    broken.abort();
    req.resume();
    // A file that completes after the failure is discarded.
    await receiving?.then(
      (file) => vault.discard(file.path),
      () => undefined,
    );
    throw error instanceof Failure || req.complete ? error : fail('request.aborted', undefined, error);
  }
}

function openParser(req: Request): busboy.Busboy {
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      limits: { files: 2, fields: 50, fieldSize: 64 * 1024, parts: 60, headerPairs: 100 },
    });
  } catch (error) {
    throw fail('request.malformed', undefined, error);
  }
}
