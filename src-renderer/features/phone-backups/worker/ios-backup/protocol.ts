import type { z } from 'zod';
import type { phoneBackups } from '../../../../../src-shared/contract/phone-backups/service.ts';
import type { Measurement } from '../../../../../src-shared/ios-backup/artifacts/measurements.ts';
import type { BackupErrorCode } from '../../../../../src-shared/ios-backup/index.ts';

/** Queries about an open backup: the service's read-only endpoints, by name. */
export type QueryName = Exclude<
  keyof typeof phoneBackups,
  'healthz' | 'list' | 'refresh' | 'forget' | 'unlock' | 'lock' | 'file' | 'indexRemove'
>;
type EndpointOf<N extends QueryName> = (typeof phoneBackups)[N];
/** The reply to a query, as the service sends it. */
export type QueryReply<N extends QueryName> =
  EndpointOf<N> extends { reply: infer R extends z.ZodType } ? z.output<R> : never;
type Input<S> = S extends z.ZodType ? z.input<S> : Record<never, never>;
/** The arguments of a query: query string, body and every path parameter but the backup's id. */
export interface QueryRequest<N extends QueryName> {
  query?: EndpointOf<N> extends { query: infer Q } ? Input<Q> : undefined;
  body?: EndpointOf<N> extends { body: infer B } ? Input<B> : undefined;
  guid?: string;
}

/** Where to look for backups: a folder handle, a list of files, or named folders that the desktop shell reads. */
export type SearchLocation =
  | { kind: 'handle'; handle: FileSystemDirectoryHandle }
  | { kind: 'files'; files: readonly File[] }
  | { kind: 'shell'; folders: readonly { name: string; port: MessagePort }[] };

/** The facts of a backup that are readable before it is unlocked. */
export interface DiscoveredBackup {
  /** The folder's name. */
  id: string;
  deviceName: string | null;
  productVersion: string | null;
  productType: string | null;
  productName: string | null;
  /** Masked except for the last characters. */
  serialNumber: string | null;
  phoneNumber: string | null;
  isEncrypted: boolean;
  isFullBackup: boolean | null;
  lastBackupAt: string | null;
  problems: readonly string[];
  /** Why the backup cannot be opened at all. */
  failure: BackupErrorCode | null;
}

export interface FileInfo {
  size: number;
  filename: string;
  relativePath: string;
  domain: string;
  modifiedAt: number | null;
}
/** The tables of a database, and some rows of one of them. */
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

/** The functions of the worker. */
export interface WorkerApi {
  /** Finds backups and adds them to those found before; of two with the same name the later one is opened. */
  discover(location: SearchLocation): DiscoveredBackup[];
  unlock(id: string, password: string): { entries: number };
  query(name: QueryName, request: QueryRequest<QueryName>): unknown;
  /** Health values for a patient's trends. */
  measurements(selection: HealthSelection): Measurement[];
  /** Throws `unknown_entry`, `missing_blob` or `needs_device`. */
  fileInfo(fileId: string): FileInfo;
  /** The bytes of [start, end). */
  bytes(fileId: string, start: number, end: number): Uint8Array;
  tables(fileId: string, table: string | null, offset: number): TableView;
  /** Like `tables`, for a database that the service decrypts and this worker reads by ranges. */
  remoteTables(file: RemoteFile, table: string | null, offset: number): TableView;
  lock(): null;
}
export interface HealthSelection {
  types: string[];
  /** All sources if omitted. */
  sources?: string[];
  /** The mean per day and source instead of every sample. */
  daily: boolean;
}
/** A message from the page: a call, or the cancellation of one. */
export type ToWorker = WorkerCall | { cancel: number };
export type WorkerCall = {
  [K in keyof WorkerApi]: { id: number; call: K; args: Parameters<WorkerApi[K]> };
}[keyof WorkerApi];

/** A step of unlocking, and how many manifest rows were read. */
export interface UnlockProgress {
  step: 'keys' | 'manifest';
  rows: number;
}
export interface ErrorMessage {
  code: string;
  params: Readonly<Record<string, string | number>>;
}
export type FromWorker =
  | { id: number; value: unknown }
  | { id: number; error: ErrorMessage }
  | { progress: UnlockProgress };
