import type { z } from 'zod';
import type {
  ListedDocument,
  share,
  SeatReply,
  SharedDetail,
  SharedStudy,
} from '../../../src-shared/contract/share.ts';

export type Me = z.output<typeof share.me.reply>;
export type Seat = SeatReply;
/** The session of a tab, or the share in whose queue it waits. */
export type PlaceOfTab = { session: string } | { session: null; share: string };
export type SharedDocument = ListedDocument;
export type { SharedStudy };
export type RegionTranslation = SharedDetail['region_translations'][number];
export type PageText = z.output<typeof share.pageText.reply>;
export type RegionRequest = z.input<typeof share.translateRegion.body>;

/** A reply other than a success. `code` is that of the API, or `offline`. */
export class DoorError extends Error {
  readonly code: string;
  readonly minutes: number;
  /** When to try again, as the service says; null if it does not. */
  readonly seconds: number | null;
  constructor(code: string, minutes: number = 1, seconds: number | null = null) {
    super(code);
    this.name = 'DoorError';
    this.code = code;
    this.minutes = minutes;
    this.seconds = seconds;
  }
}

/** A window in the unit of the pixels. */
export interface FrameWindow {
  center: number;
  width: number;
}
/** A frame of a shared study; without a window it is drawn with that of its header. */
export interface FrameAddress {
  documentId: number;
  series: number;
  /** 0-based. */
  index: number;
  window: FrameWindow | null;
}

interface ErrorReply {
  code?: string;
  params?: { minutes?: number };
}
type Method = 'GET' | 'POST' | 'DELETE';

async function send(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`/api/share${path}`, {
    method,
    headers: {
      'X-Requested-With': 'XMLHttpRequest',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new DoorError('offline');
  });
  if (response.ok) return response;
  const reply = objectIn(await response.text()) as ErrorReply;
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  throw new DoorError(reply.code ?? 'offline', reply.params?.minutes, Number.isNaN(seconds) ? null : seconds);
}

/** A proxy or a tunnel in between may answer with a page of its own. */
function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  return objectIn(await response.text()) as T;
}

/** What a recipient asks the service for. */
export const door = {
  info: (token: string) => ask<{ delivery: 'manual' | 'email' }>('GET', `/${token}/info`),
  requestCode: (token: string) => ask<object>('POST', `/${token}/request-otp`),
  verify: (token: string, code: string) => ask<Seat>('POST', `/${token}/verify-otp`, { code }),
  claim: () => ask<Seat>('POST', '/claim'),
  /** Gives up the place in the queue, unless another tab waits for another share by now. */
  leave: ({ share }: Seat) => ask<object>('POST', '/logout', { session: null, share }),
  logout: (session: string) => ask<object>('POST', '/logout', { session }),
  /**
   * Gives the session of this name back while the page is closed, or the place in the queue of a share; no reply arrives
   * any more.
   * The type of the body makes the browser name the origin, which it leaves out of plain beacons of a page without
   * referrer.
   */
  leaveOnClose: (place: PlaceOfTab) =>
    navigator.sendBeacon('/api/share/logout', new Blob([JSON.stringify(place)], { type: 'application/json' })),
  me: () => ask<Me>('GET', '/me'),
  /** One stamped page as a picture. */
  page: async (document: number, page: number, signal: AbortSignal): Promise<Blob> =>
    (await send('GET', `/documents/${document}/pages/${page}/image`, undefined, signal)).blob(),
  studies: async (document: number): Promise<SharedStudy[]> =>
    (await ask<SharedDetail>('GET', `/documents/${document}`)).imaging_studies,
  /** One stamped frame as a picture. */
  frame: async ({ documentId, series, index, window }: FrameAddress, signal: AbortSignal): Promise<Blob> => {
    const query = window ? `?wc=${window.center.toFixed(3)}&ww=${window.width.toFixed(3)}` : '';
    return (
      await send('GET', `/documents/${documentId}/series/${series}/frame/${index}${query}`, undefined, signal)
    ).blob();
  },
  /** The text of a page, as far as the page shows it. */
  text: async (document: number, page: number, signal: AbortSignal): Promise<PageText> => {
    const response = await send('GET', `/documents/${document}/pages/${page}/text`, undefined, signal);
    return objectIn(await response.text()) as PageText;
  },
  /** The stamped picture of a part that was translated. */
  regionPicture: async (document: number, region: number, signal: AbortSignal): Promise<Blob> =>
    (await send('GET', `/documents/${document}/region-translations/${region}/thumbnail`, undefined, signal)).blob(),
  translateRegion: (document: number, region: RegionRequest) =>
    ask<{ region_id: number }>('POST', `/documents/${document}/translate-region`, region),
  translations: async (document: number): Promise<RegionTranslation[]> =>
    (await ask<SharedDetail>('GET', `/documents/${document}`)).region_translations,
};
