import type { Clock } from '../../platform/kernel/clock.ts';
import type { Documents, SenderRights } from '../documents/service.ts';
import type { ImportRepository, ImportRow } from './repository.ts';
import type { SourceTools } from './source.ts';

/** A value without a document, as the labs feature adds it. */
type AddMeasurements = (
  patientId: number,
  measurements: readonly { name: string; value: number; unit: string | null; date: string; source: string }[],
  kind: 'each' | 'daily',
) => { added: number; already_there: number; ids: number[] };

export interface RunDeps {
  repository: ImportRepository;
  clock: Clock;
  transaction<T>(work: () => T): T;
  documents: Documents['imports'];
  addMeasurements: AddMeasurements;
  isFinishedName: SourceTools['isFinishedName'];
  /** The folder of the vault. */
  root: string;
  /** The civil day of an instant on this computer. */
  dayOf(instant: number): string;
  rightsOf(row: ImportRow): SenderRights;
}

/** Learns of each item that was looked at or stored. */
export type OnItem = (line: { member: string; message: string }) => void;
export interface Watch {
  signal: AbortSignal;
  onItem?: OnItem | undefined;
}
