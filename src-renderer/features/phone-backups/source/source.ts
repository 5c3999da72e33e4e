import type { HealthSelection, QueryName, QueryReply, QueryRequest, TableView } from '../worker/ios-backup/protocol.ts';

export type { HealthSelection, QueryName, QueryReply, QueryRequest, TableView };

/** The facts of a device and its backup that cards and headers show. */
export interface Device {
  /** The name of the backup's folder. */
  id: string;
  name: string | null;
  model: string | null;
  system: string | null;
  /** UTC, without a zone. */
  backedUpAt: string | null;
  /** Null if unknown: counting the files of a folder that the user selected takes too long. */
  bytes: number | null;
  /** Masked except for the last characters. */
  serial: string | null;
  phone: string | null;
  isEncrypted: boolean;
  isFull: boolean | null;
  problems: readonly string[];
}

/**
 * An open backup, as all screens use it: `ServiceSource` calls the core, `DirectSource` the worker of this page, which
 * reads the files itself.
 */
export interface BackupSource {
  readonly kind: 'service' | 'direct';
  readonly device: Device;
  query<N extends QueryName>(name: N, request: QueryRequest<N>, signal?: AbortSignal): Promise<QueryReply<N>>;
  size(fileId: string, signal?: AbortSignal): Promise<number>;
  /** The bytes of [start, end), cut at the end of the file. */
  bytes(fileId: string, start: number, end: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Lists the tables of a database and some rows of one. */
  tables(fileId: string, table: string | null, offset: number): Promise<TableView>;
  /** Adds health values to the trends of a patient. `onProgress` is called between requests. */
  sendHealth(
    patientId: number,
    selection: HealthSelection,
    onProgress: (sent: number, total: number) => void,
  ): Promise<{ added: number; already_there: number }>;
  /** Keeps the backup open while the user works in it without a request: a service ends unused sessions. */
  keepAlive(): Promise<void>;
  /** Erases the keys and everything that was decrypted. */
  lock(): Promise<void>;
}

/** A failure in this page; failures of the service are `ApiError`. */
export class DirectError extends Error {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  constructor(code: string, params: Readonly<Record<string, string | number>> = {}) {
    super(code);
    this.name = 'DirectError';
    this.code = code;
    this.params = params;
  }
}
