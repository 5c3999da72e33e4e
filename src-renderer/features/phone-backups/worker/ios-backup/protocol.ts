import type { z } from 'zod';
import type { phoneBackups } from '../../../../../src-shared/contract/phone-backups/service.ts';
import type { Measured } from '../../../../../src-shared/ios-backup/artifacts/measurements.ts';
import type { BackupErrorCode } from '../../../../../src-shared/ios-backup/index.ts';

/** Questions about an open backup: the endpoints of the service that only read, by their names there. */
export type Question = Exclude<
  keyof typeof phoneBackups,
  'healthz' | 'list' | 'refresh' | 'forget' | 'unlock' | 'lock' | 'file' | 'indexRemove'
>;
type Of<N extends Question> = (typeof phoneBackups)[N];
/** The answer to a question, as the service gives it. */
export type Answer<N extends Question> = Of<N> extends { reply: infer R extends z.ZodType } ? z.output<R> : never;
type Input<S> = S extends z.ZodType ? z.input<S> : Record<never, never>;
/** What goes with a question: query, body and every parameter but the backup's id. */
export interface Asked<N extends Question> {
  query?: Of<N> extends { query: infer Q } ? Input<Q> : undefined;
  body?: Of<N> extends { body: infer B } ? Input<B> : undefined;
  guid?: string;
}

/** Where the bytes of backups come from: a folder that a person chose, a list of its files, or folders that the desktop shell reads, by their names. */
export type Place =
  | { kind: 'handle'; handle: FileSystemDirectoryHandle }
  | { kind: 'files'; files: readonly File[] }
  | { kind: 'shell'; folders: readonly { name: string; port: MessagePort }[] };

/** What is known of a backup before it is opened. */
export interface Found {
  /** The folder's name. */
  id: string;
  deviceName: string | null;
  productVersion: string | null;
  productType: string | null;
  productName: string | null;
  /** Masked but for the last characters. */
  serialNumber: string | null;
  phoneNumber: string | null;
  isEncrypted: boolean;
  isFullBackup: boolean | null;
  lastBackupAt: string | null;
  problems: readonly string[];
  /** Why it cannot be opened at all. */
  failure: BackupErrorCode | null;
}

export interface FileFacts {
  size: number;
  filename: string;
  relativePath: string;
  domain: string;
  modifiedAt: number | null;
}
/** A table of a database with its first rows. */
export interface TableView {
  tables: string[];
  table: string | null;
  columns: string[];
  rows: (string | number | null)[][];
  total: number;
}

export interface RemoteFile {
  url: string;
  headers: Readonly<Record<string, string>>;
  size: number;
}

/** What the worker can be asked to do. */
export interface Calls {
  /** What is found in a place, beside what was found before; of two with the same name the later one is opened. */
  discover(place: Place): Found[];
  unlock(id: string, passphrase: string): { entries: number };
  ask(name: Question, asked: Asked<Question>): unknown;
  /** Values of the chosen types and sources (all, where none is named) for a patient's trends. */
  measurements(wanted: HealthWanted): Measured[];
  /** Facts of a file; `unknown_entry`, `missing_blob`, `needs_device` as errors. */
  facts(fileId: string): FileFacts;
  /** Bytes of [start, end). */
  bytes(fileId: string, start: number, end: number): Uint8Array;
  tables(fileId: string, table: string | null, offset: number): TableView;
  /** The same of a database that the service has: read by ranges from this address. */
  remoteTables(file: RemoteFile, table: string | null, offset: number): TableView;
  lock(): null;
}
export interface HealthWanted {
  types: string[];
  sources?: string[];
  /** The mean of each day and source. */ daily: boolean;
}
/** What the page sends: a call, or the end of one that nobody waits for any more. */
export type Told = Call | { cancel: number };
export type Call = { [K in keyof Calls]: { id: number; call: K; args: Parameters<Calls[K]> } }[keyof Calls];

export interface WireError {
  code: string;
  params: Readonly<Record<string, string | number>>;
}
export type Reported =
  | { id: number; value: unknown }
  | { id: number; error: WireError }
  | { progress: { step: 'keys' | 'manifest'; rows: number } };
