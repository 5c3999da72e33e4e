import type { Answer, Asked, HealthWanted, Question, TableView } from '../worker/ios-backup/protocol.ts';

export type { Answer, Asked, HealthWanted, Question, TableView };

/** What a card and the head of a page say of a device. */
export interface Device {
  /** The name of the backup's folder. */
  id: string;
  name: string | null;
  model: string | null;
  system: string | null;
  /** UTC, without a zone. */
  backedUpAt: string | null;
  /** Null where it was not counted: counting the files of a folder that a person chose takes long. */
  bytes: number | null;
  /** Masked but for the last characters. */
  serial: string | null;
  phone: string | null;
  isEncrypted: boolean;
  isFull: boolean | null;
  problems: readonly string[];
}

/**
 * An open backup. There are two: the service of the core, and the worker of this page, which reads the files itself.
 * Every screen knows only this.
 */
export interface BackupSource {
  readonly kind: 'service' | 'direct';
  readonly device: Device;
  ask<N extends Question>(name: N, asked: Asked<N>, signal?: AbortSignal): Promise<Answer<N>>;
  size(fileId: string, signal?: AbortSignal): Promise<number>;
  /** Bytes of [start, end), cut at the end of the file. */
  bytes(fileId: string, start: number, end: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Tables of a database, and some rows of one. */
  tables(fileId: string, table: string | null, offset: number): Promise<TableView>;
  /** Health values go to the trends of a patient. `onSent` is told where they go in pieces. */
  sendHealth(
    patientId: number,
    wanted: HealthWanted,
    onSent: (done: number, total: number) => void,
  ): Promise<{ added: number; already_there: number }>;
  /** Drops the keys and everything that was decrypted. */
  lock(): Promise<void>;
}

/** A failure that this page itself found; the service's are `ApiError`. */
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
