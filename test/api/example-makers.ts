import type { ErrorCode } from '../../src-shared/contract/errors.ts';
import type { Household } from '../support/household.ts';
import type { NameType } from '../support/household-scope.ts';

/** One call that fits its endpoint, on records made for it. */
export interface Example {
  /** With parameters and query filled in. */
  path: string;
  body?: unknown;
  /** The file of a multipart request. */
  file?: Uint8Array;
  /** Cookies of a recipient of a share. */
  cookie?: string;
  /** Where this household cannot make the call succeed: what it is answered instead. */
  answers?: ErrorCode;
}

export type Make = (household: Household) => Example;

export const at =
  (path: string, body?: unknown): Make =>
  () => ({ path, ...(body !== undefined && { body }) });
export const onDocument =
  (tail: string, body?: unknown): Make =>
  ({ make }) => ({ path: `/api/documents/${make.document()}${tail}`, ...(body !== undefined && { body }) });
/** A call about a new share, by those who manage it. */
export const onShare =
  (tail: string, body?: unknown): Make =>
  ({ make }) => ({ path: `/api/shares/${make.share().id}${tail}`, ...(body !== undefined && { body }) });
/** A call of somebody who has a new share open, about its document. */
export const asRecipient =
  (tail: (document: number) => string, rest: Omit<Example, 'path'> = {}): Make =>
  ({ make }) => {
    const share = make.share();
    return { path: `/api/share${tail(share.document)}`, cookie: make.recipient(share).cookie, ...rest };
  };
export const LATER = '2098-01-01T00:00:00';
export const onDocuments =
  (path: string, body: (patient: number) => object): Make =>
  ({ make, patient }) => ({ path, body: { document_ids: [make.document()], ...body(patient) } });
export const onEvent =
  (tail: string, body?: unknown): Make =>
  ({ make }) => ({ path: `/api/events/${make.event()}${tail}`, ...(body !== undefined && { body }) });
export const onName =
  (tail: string, body?: unknown, type: NameType = 'lab_tests'): Make =>
  ({ make }) => ({ path: `/api/normalization/${type}/${make.name(type)}${tail}`, ...(body !== undefined && { body }) });
/** A call about the preview of an archive. */
export const onImport =
  (tail: string, answers?: ErrorCode): Make =>
  ({ make }) => ({ path: `/api/imports/${make.archiveImport()}${tail}`, ...(answers && { answers }) });
