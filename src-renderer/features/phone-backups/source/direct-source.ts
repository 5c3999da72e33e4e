import { call, contract } from '../../../client/api.ts';
import type {
  BackupSource,
  Device,
  HealthSelection,
  QueryName,
  QueryReply,
  QueryRequest,
  TableView,
} from './source.ts';
import type { WorkerClient } from './worker-client.ts';

/** Measurements per request: a year of heart rates is more than one request may contain. */
const MEASUREMENTS_PER_REQUEST = 1000;

/** A backup that this page reads itself. */
export class DirectSource implements BackupSource {
  readonly kind = 'direct';
  readonly device: Device;
  readonly #worker: WorkerClient;

  constructor(device: Device, worker: WorkerClient) {
    this.device = device;
    this.#worker = worker;
  }

  async query<N extends QueryName>(name: N, request: QueryRequest<N>, signal?: AbortSignal): Promise<QueryReply<N>> {
    const reply = (await this.#worker.call('query', [name, request], { signal })) as QueryReply<N>;
    if (name !== 'suggestions') return reply;
    return (await this.#withDocumentIds(reply as QueryReply<'suggestions'>)) as QueryReply<N>;
  }

  /**
   * Adds which files are already documents, which only the vault knows. If the vault can't be reached, the list is
   * unchanged.
   */
  async #withDocumentIds(reply: QueryReply<'suggestions'>): Promise<QueryReply<'suggestions'>> {
    if (reply.items.length === 0) return reply;
    const { items } = await call(contract.phoneImport.importedFiles, { query: { backup_id: this.device.id } }).catch(
      () => ({
        items: [],
      }),
    );
    const documentIds = new Map(items.map(({ file_id: fileId, document_id: documentId }) => [fileId, documentId]));
    return {
      ...reply,
      items: reply.items.map((row) => ({ ...row, document_id: documentIds.get(row.file_id) ?? null })),
    };
  }

  async size(fileId: string): Promise<number> {
    return (await this.#worker.call('fileInfo', [fileId])).size;
  }

  bytes(fileId: string, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#worker.call('bytes', [fileId, start, end]) as Promise<Uint8Array<ArrayBuffer>>;
  }

  tables(fileId: string, table: string | null, offset: number): Promise<TableView> {
    return this.#worker.call('tables', [fileId, table, offset]);
  }

  readonly sendHealth = async (
    patientId: number,
    selection: HealthSelection,
    onProgress: (sent: number, total: number) => void,
  ): Promise<{ added: number; already_there: number }> => {
    const measurements = await this.#worker.call('measurements', [selection]);
    const totals = { added: 0, already_there: 0 };
    for (let at = 0; at < measurements.length; at += MEASUREMENTS_PER_REQUEST) {
      onProgress(at, measurements.length);
      const reply = await call(contract.phoneImport.addMeasurements, {
        body: {
          patient_id: patientId,
          device: this.device.name ?? this.device.model ?? this.device.id,
          daily: selection.daily,
          measurements: measurements.slice(at, at + MEASUREMENTS_PER_REQUEST),
        },
      });
      totals.added += reply.added;
      totals.already_there += reply.already_there;
    }
    return totals;
  };

  async keepAlive(): Promise<void> {
    // Only this page ends a backup that it reads itself.
  }

  async lock(): Promise<void> {
    await this.#worker.call('lock', []).catch(() => null);
  }
}
