import type { Endpoint } from '../../../../src-shared/contract/endpoint.ts';
import {
  BACKUP_SESSION_HEADER,
  PHONE_PREFIX,
  phoneBackups,
} from '../../../../src-shared/contract/phone-backups/service.ts';
import { addressOf, ApiError, call, contract, failureOf, OWN_HEADERS, unreachable } from '../../../client/api.ts';
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

interface ServiceRequest {
  params?: Record<string, string>;
  query?: object | undefined;
  body?: unknown;
  session?: string;
  headers?: Record<string, string>;
  /** Whether the request may finish after the page is closed. */
  keepalive?: boolean;
}

/** Calls the phone-backup service through the core that served this page. */
export async function callService(
  name: keyof typeof phoneBackups,
  { params, query, body, session, headers = {}, keepalive = false }: ServiceRequest = {},
  signal?: AbortSignal,
): Promise<Response> {
  const endpoint = phoneBackups[name];
  const response = await fetch(`${PHONE_PREFIX}${addressOf<Endpoint>(endpoint, { params, query: { ...query } })}`, {
    method: endpoint.method,
    credentials: 'same-origin',
    keepalive,
    ...(signal && { signal }),
    headers: {
      ...OWN_HEADERS,
      ...(session !== undefined && { [BACKUP_SESSION_HEADER]: session }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw unreachable();
  });
  if (!response.ok) throw failureOf(response.status, await response.text());
  return response;
}

/** A backup that the service has unlocked. */
export class ServiceSource implements BackupSource {
  readonly kind = 'service';
  readonly device: Device;
  readonly #session: string;
  readonly #worker: () => WorkerClient;
  readonly #onExpired: () => void;

  /** `worker` views tables; `onExpired` is called when the service no longer knows the session. */
  constructor(device: Device, session: string, worker: () => WorkerClient, onExpired: () => void) {
    this.device = device;
    this.#session = session;
    this.#worker = worker;
    this.#onExpired = onExpired;
  }

  async query<N extends QueryName>(
    name: N,
    { query, body, guid }: QueryRequest<N>,
    signal?: AbortSignal,
  ): Promise<QueryReply<N>> {
    const request = {
      params: { backup_id: this.device.id, ...(guid !== undefined && { guid }) },
      query,
      body: phoneBackups[name].method === 'GET' ? undefined : (body ?? {}),
    };
    return (await (await this.#call(name, request, signal)).json()) as QueryReply<N>;
  }

  async size(fileId: string, signal?: AbortSignal): Promise<number> {
    const response = await this.#fetchRange(fileId, 'bytes=0-0', signal);
    const total = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1];
    // A body that is never read holds its connection. An empty file has no satisfiable range, so it is sent as a whole.
    const { byteLength } = await response.arrayBuffer();
    return total === undefined ? byteLength : Number(total);
  }

  async bytes(fileId: string, start: number, end: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    if (start >= end) return new Uint8Array();
    return new Uint8Array(await (await this.#fetchRange(fileId, `bytes=${start}-${end - 1}`, signal)).arrayBuffer());
  }

  async tables(fileId: string, table: string | null, offset: number): Promise<TableView> {
    const address = addressOf(phoneBackups.file, { params: { backup_id: this.device.id, file_id: fileId } });
    const file = {
      url: new URL(`${PHONE_PREFIX}${address}`, location.href).href,
      headers: { ...OWN_HEADERS, [BACKUP_SESSION_HEADER]: this.#session },
      size: await this.size(fileId),
    };
    return this.#worker().call('remoteTables', [file, table, offset]);
  }

  readonly sendHealth = (
    patientId: number,
    selection: HealthSelection,
  ): Promise<{ added: number; already_there: number }> =>
    call(contract.phoneImport.importHealth, {
      body: { backup_id: this.device.id, patient_id: patientId, ...selection },
    });

  async keepAlive(): Promise<void> {
    const request = { params: { backup_id: this.device.id }, query: { limit: 1 } };
    // If the session has ended, `#call` reports it; a service that can't be reached may return.
    await this.#call('files', request).then(
      (response) => response.arrayBuffer(),
      () => null,
    );
  }

  async lock(): Promise<void> {
    await callService('lock', {
      params: { backup_id: this.device.id },
      body: {},
      session: this.#session,
      keepalive: true,
    }).catch(() => null);
  }

  #fetchRange(fileId: string, range: string, signal?: AbortSignal): Promise<Response> {
    return this.#call(
      'file',
      { params: { backup_id: this.device.id, file_id: fileId }, headers: { Range: range, Accept: '*/*' } },
      signal,
    );
  }

  async #call(name: keyof typeof phoneBackups, request: ServiceRequest, signal?: AbortSignal): Promise<Response> {
    try {
      return await callService(name, { ...request, session: this.#session }, signal);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'phone.session_invalid') this.#onExpired();
      throw error;
    }
  }
}
