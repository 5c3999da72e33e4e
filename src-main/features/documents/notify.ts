import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { DocumentRecord, WriteRepository } from './write-repository.ts';

export interface NotifyDeps {
  repository: WriteRepository;
  announce: (message: LiveMessage) => void;
}

/** Sends the new state of every document to open pages. Call it after the transaction. */
export function notifyChanged({ repository, announce }: NotifyDeps, documentIds: readonly number[]): void {
  if (documentIds.length === 0) return;
  for (const row of repository.getMany([...documentIds]))
    announce({
      kind: 'document',
      document_id: row.id,
      patient_id: row.patient_id,
      status: row.status,
      change: 'updated',
    });
}

/** Does the same for a document that was moved to the trash; `patientId` is its former patient. */
export function notifyDeleted({ announce }: NotifyDeps, documentId: number, patientId: number | null): void {
  announce({ kind: 'document', document_id: documentId, patient_id: patientId, status: null, change: 'deleted' });
}

/** @throws `document.not_found` */
export const requireDocument = (repository: WriteRepository, id: number): DocumentRecord =>
  orNotFound(repository.get(id), 'document.not_found');
