import {
  BACKUP_SESSION_HEADER,
  PHONE_PREFIX,
  phoneBackups,
} from '../../../../src-shared/contract/phone-backups/service.ts';
import { addressOf, ApiError, call, contract, failureOf, OWN_HEADERS, unreachable } from '../../../client/api.ts';
import type { Answer, Asked, BackupSource, Device, HealthWanted, Question, TableView } from './source.ts';
import type { WorkerClient } from './worker-client.ts';

/** Asks the service for phone backups, through the core that served this page. */
export async function askService(
  name: keyof typeof phoneBackups,
  {
    params,
    query,
    body,
    session,
    headers = {},
    keepalive = false,
  }: {
    params?: Record<string, string>;
    query?: object | undefined;
    body?: unknown;
    session?: string;
    headers?: Record<string, string>;
    /** Also when the page is being left. */ keepalive?: boolean;
  } = {},
  signal?: AbortSignal,
): Promise<Response> {
  const endpoint = phoneBackups[name];
  const response = await fetch(`${PHONE_PREFIX}${addressOf(endpoint, { params, query: { ...query } })}`, {
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

/** A backup that the service has open. */
export class ServiceSource implements BackupSource {
  readonly kind = 'service';
  readonly device: Device;
  readonly #session: string;
  readonly #tables: () => WorkerClient;
  readonly #over: () => void;

  /** `over` is told when the service knows the session no longer. */
  constructor(device: Device, session: string, tables: () => WorkerClient, over: () => void) {
    this.#over = over;
    this.device = device;
    this.#session = session;
    this.#tables = tables;
  }

  async ask<N extends Question>(name: N, { query, body, guid }: Asked<N>, signal?: AbortSignal): Promise<Answer<N>> {
    const response = await this.#asked(
      name,
      {
        params: { backup_id: this.device.id, ...(guid !== undefined && { guid }) },
        query,
        body: phoneBackups[name].method === 'GET' ? undefined : (body ?? {}),
      },
      signal,
    );
    return (await response.json()) as Answer<N>;
  }

  async size(fileId: string, signal?: AbortSignal): Promise<number> {
    const response = await this.#file(fileId, 'bytes=0-0', signal);
    const total = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1];
    // An empty file has no first byte: it comes whole.
    return total === undefined ? (await response.arrayBuffer()).byteLength : Number(total);
  }

  async bytes(fileId: string, start: number, end: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    if (start >= end) return new Uint8Array();
    return new Uint8Array(await (await this.#file(fileId, `bytes=${start}-${end - 1}`, signal)).arrayBuffer());
  }

  async tables(fileId: string, table: string | null, offset: number): Promise<TableView> {
    const url = new URL(
      `${PHONE_PREFIX}${addressOf(phoneBackups.file, { params: { backup_id: this.device.id, file_id: fileId } })}`,
      location.href,
    ).href;
    return this.#tables().call('remoteTables', [
      { url, headers: { ...OWN_HEADERS, [BACKUP_SESSION_HEADER]: this.#session }, size: await this.size(fileId) },
      table,
      offset,
    ]);
  }

  readonly sendHealth = (patientId: number, wanted: HealthWanted): Promise<{ added: number; already_there: number }> =>
    call(contract.phone.sendHealth, { body: { backup_id: this.device.id, patient_id: patientId, ...wanted } });

  async lock(): Promise<void> {
    await askService('lock', {
      params: { backup_id: this.device.id },
      body: {},
      session: this.#session,
      keepalive: true,
    }).catch(() => null);
  }

  #file(fileId: string, range: string, signal?: AbortSignal): Promise<Response> {
    return this.#asked(
      'file',
      { params: { backup_id: this.device.id, file_id: fileId }, headers: { Range: range, Accept: '*/*' } },
      signal,
    );
  }

  async #asked(
    name: keyof typeof phoneBackups,
    what: Parameters<typeof askService>[1],
    signal?: AbortSignal,
  ): Promise<Response> {
    try {
      return await askService(name, { ...what, session: this.#session }, signal);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'phone.session_invalid') this.#over();
      throw error;
    }
  }
}
