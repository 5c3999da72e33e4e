import type { NameType } from '../../../src-shared/contract/names.ts';

/** Events between features. The core connects emitters and listeners when it is composed. */
export interface CoreEvents {
  /** A name entry got a fuller name while a document was read. Emitted inside the transaction. */
  nameRenamed: { kind: NameType; id: number };
  /** A deleted name entry was restored. Emitted inside the transaction. */
  nameRestored: { table: string; id: number };
  /** A patient got another name. Emitted inside the transaction. */
  patientRenamed: { patientId: number };
  /** A patient was added, or got another name or birth date. Emitted inside the transaction. */
  patientIdentified: { patientId: number };
  /** A user got access to a patient. Emitted after the transaction. */
  accessGranted: { patientId: number };
  /** A patient is moved to the trash. Emitted inside the transaction, while the documents still exist. */
  patientDeleted: { patientId: number };
  /** Documents, or rows of the touched documents, were restored. Emitted inside the transaction. */
  documentsRestored: { documentIds: readonly number[]; touchedIds: readonly number[]; eventId: number | null };
  /** Documents are moved to the trash, but not their patient. Emitted inside the transaction, while they still exist. */
  documentsDeleted: { documentIds: readonly number[] };
  /** A document was put where its fields place it. Emitted inside the transaction. */
  documentPlaced: { documentId: number };
  /** An event was restored. Emitted after the transaction. */
  eventRestored: { eventId: number };
  /** Content was purged. */
  contentPurged: { hashes: readonly string[] };
}

type Listener<Payload> = (payload: Payload) => void | Promise<void>;

export interface EventBus<Events = CoreEvents> {
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): void;
  /**
   * Calls every listener before it returns, in the order of subscription. An error of a listener reaches the caller,
   * which can roll back its transaction. The promise resolves when asynchronous listeners have finished.
   */
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): Promise<void>;
}

/** Creates an event bus without listeners. */
export function createEventBus<Events = CoreEvents>(): EventBus<Events> {
  const listeners: { [Name in keyof Events]?: Listener<Events[Name]>[] } = {};
  return {
    on(name, listener) {
      (listeners[name] ??= []).push(listener);
    },
    emit(name, payload) {
      const running = (listeners[name] ?? []).map((listener) => listener(payload));
      return Promise.all(running).then(() => undefined);
    },
  };
}
