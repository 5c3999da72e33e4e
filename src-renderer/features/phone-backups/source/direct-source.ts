import type { Answer, Asked, BackupSource, Device, Question, TableView } from './source.ts';
import type { WorkerClient } from './worker-client.ts';

/** A backup that this page reads itself. */
export class DirectSource implements BackupSource {
  readonly kind = 'direct';
  readonly sendHealth = null;
  readonly device: Device;
  readonly #worker: WorkerClient;

  constructor(device: Device, worker: WorkerClient) {
    this.device = device;
    this.#worker = worker;
  }

  ask<N extends Question>(name: N, asked: Asked<N>): Promise<Answer<N>> {
    return this.#worker.call('ask', [name, asked]) as Promise<Answer<N>>;
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

  async lock(): Promise<void> {
    await this.#worker.call('lock', []).catch(() => null);
  }
}
