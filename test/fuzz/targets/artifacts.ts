import { readMessageSummary } from '../../../src-shared/ios-backup/artifacts/message-summary.ts';
import { readNoteBody, readNoteTable } from '../../../src-shared/ios-backup/artifacts/note-body.ts';
import { textOfTypedStream } from '../../../src-shared/ios-backup/artifacts/typedstream.ts';
import { GzipError } from '../../../src-shared/ios-backup/format/gzip.ts';
import { ProtobufError } from '../../../src-shared/ios-backup/format/protobuf.ts';
import { gunzipSync, gzipSync } from 'node:zlib';
import { attributedBody, noteData, noteTable } from '../../fixtures/ios-backup/artifacts/encoders.ts';
import { binaryPlist } from '../../fixtures/ios-backup/plist-writer.ts';
import type { FuzzTarget } from '../target.ts';

const never = (): boolean => false;
const refusesNotes = (error: unknown): boolean =>
  error instanceof GzipError || error instanceof ProtobufError || error instanceof RangeError;
/** Mutations of packed bytes end at the checksum; those of the message behind it are packed anew. */
const packed = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 1 });

const LONG = attributedBody('A message of some length, with Zürich and 👩‍⚕️ in it. '.repeat(40));
export const typedStreams: FuzzTarget = {
  name: 'typedstream',
  seeds: () => [attributedBody('Hello'), attributedBody('mutable', { mutable: true }), LONG],
  read: textOfTypedStream,
  refuses: never,
};

export const messageSummaries: FuzzTarget = {
  name: 'message-summary',
  read: readMessageSummary,
  refuses: never,
  seeds: () => [
    binaryPlist({
      otr: { 0: { lo: 0, le: 5 } },
      ec: {
        0: [
          { d: 690_513_474, t: attributedBody('First') },
          { d: 690_513_480, t: attributedBody('Second') },
        ],
      },
      rp: [0],
    }),
  ],
};

const body = noteData('Befunde\n\uFFFC und \uFFFC', [
  { identifier: 'A-1', uti: 'com.apple.notes.table' },
  { identifier: 'B-2', uti: 'com.adobe.pdf' },
]);
const table = noteTable([
  ['Datum', 'Wert'],
  ['1. 3.', '6,1'],
  ['2. 3.', '5,9'],
]);
export const packedNotes: FuzzTarget = {
  name: 'note-packed',
  seeds: () => [body, table],
  read: readNoteBody,
  refuses: refusesNotes,
};
export const noteBodies: FuzzTarget = {
  name: 'note-body',
  seeds: () => [gunzipSync(body)],
  read: (bytes) => readNoteBody(packed(bytes)),
  refuses: refusesNotes,
};
export const noteTables: FuzzTarget = {
  name: 'note-table',
  seeds: () => [gunzipSync(table)],
  read: (bytes) => readNoteTable(packed(bytes)),
  refuses: refusesNotes,
};
