import { call, contract } from '../../../client/api.ts';
import type { Answer, Asked, BackupSource, Device, HealthWanted, Question, TableView } from './source.ts';
import type { WorkerClient } from './worker-client.ts';

/** Values sent at once. */
const PIECE = 1000;

/** A backup that this page reads itself. */
export class DirectSource implements BackupSource {
  readonly kind = 'direct';
  readonly device: Device;
  readonly #worker: WorkerClient;

  constructor(device: Device, worker: WorkerClient) {
    this.device = device;
    this.#worker = worker;
  }

  async ask<N extends Question>(name: N, asked: Asked<N>, signal?: AbortSignal): Promise<Answer<N>> {
    const answer = (await this.#worker.call('ask', [name, asked], { signal })) as Answer<N>;
    return name === 'suggestions' ? ((await this.#marked(answer as Answer<'suggestions'>)) as Answer<N>) : answer;
  }

  /** The worker knows the backup only; what the vault has of it, the vault says. A list without marks is better than none. */
  async #marked(answer: Answer<'suggestions'>): Promise<Answer<'suggestions'>> {
    if (answer.items.length === 0) return answer;
    const { items } = await call(contract.phone.sent, { query: { backup_id: this.device.id } }).catch(() => ({
      items: [],
    }));
    const sent = new Map(items.map(({ file_id: fileId, document_id: documentId }) => [fileId, documentId]));
    return { ...answer, items: answer.items.map((row) => ({ ...row, document_id: sent.get(row.file_id) ?? null })) };
  }

  async size(fileId: string): Promise<number> {
    return (await this.#worker.call('facts', [fileId])).size;
  }

  bytes(fileId: string, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#worker.call('bytes', [fileId, start, end]) as Promise<Uint8Array<ArrayBuffer>>;
  }

  tables(fileId: string, table: string | null, offset: number): Promise<TableView> {
    return this.#worker.call('tables', [fileId, table, offset]);
  }

  /** The values are sent in pieces: a year of heart rates is more than one request may hold. */
  readonly sendHealth = async (
    patientId: number,
    wanted: HealthWanted,
    onSent: (done: number, total: number) => void,
  ): Promise<{ added: number; already_there: number }> => {
    const measurements = await this.#worker.call('measurements', [wanted]);
    const sum = { added: 0, already_there: 0 };
    for (let at = 0; at < measurements.length; at += PIECE) {
      onSent(at, measurements.length);
      const { added, already_there: known } = await call(contract.phone.addMeasurements, {
        body: {
          patient_id: patientId,
          device: this.device.name ?? this.device.model ?? this.device.id,
          daily: wanted.daily,
          measurements: measurements.slice(at, at + PIECE),
        },
      });
      sum.added += added;
      sum.already_there += known;
    }
    return sum;
  };

  async lock(): Promise<void> {
    await this.#worker.call('lock', []).catch(() => null);
  }
}
