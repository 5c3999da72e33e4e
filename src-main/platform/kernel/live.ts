import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { Clock } from './clock.ts';

/** Minimum time between two messages of a frequent kind; users see no difference above ten per second. */
const INTERVAL_MS = 100;

/** A change of names, with its author and the patients whose records it may concern, who decide which users receive it. */
export interface NamesChange {
  kind: 'names';
  type: Extract<LiveMessage, { kind: 'names' }>['type'];
  userId: number | null;
  patientIds: readonly number[];
}
/** What features announce; a change of names without its author and patients reaches nobody. */
export type Announcement = LiveMessage | NamesChange;

export interface Live {
  /**
   * Sends a message to all subscribers. Of `pipeline`, `names` and `progress` only the latest is sent, at most ten
   * times per second.
   */
  announce(message: Announcement): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (message: Announcement) => void): () => void;
}

/** Messages that replace each other share a key; null for messages that are all sent. */
function keyOf(message: Announcement): string | null {
  switch (message.kind) {
    case 'pipeline':
    case 'check':
    case 'backup':
    case 'shares':
      return message.kind;
    case 'progress':
      return `progress ${message.document_id}`;
    // Reading a document changes several names at once.
    case 'names':
      return `names ${message.type} ${'userId' in message ? `${message.userId} ${message.patientIds.join()}` : ''}`;
    case 'document':
    case 'event':
      return null;
  }
}

/** Notifies subscribers of committed changes. State is kept in memory only. */
export function createLive(clock: Clock): Live {
  const listeners = new Set<(message: Announcement) => void>();
  const lastSent = new Map<string, number>();
  const pending = new Map<string, Announcement>();

  const send = (message: Announcement): void => {
    for (const listener of [...listeners]) listener(message);
  };

  async function sendLater(key: string, wait: number): Promise<void> {
    await clock.sleep(wait);
    const latest = pending.get(key);
    pending.delete(key);
    if (latest === undefined) return;
    lastSent.set(key, clock.now());
    send(latest);
  }

  return {
    announce(message) {
      const key = keyOf(message);
      if (key === null) return send(message);
      const wait = (lastSent.get(key) ?? -Infinity) + INTERVAL_MS - clock.now();
      const isPending = pending.has(key);
      if (wait <= 0 && !isPending) {
        if (lastSent.size > 1000) lastSent.clear();
        lastSent.set(key, clock.now());
        return send(message);
      }
      pending.set(key, message);
      if (!isPending) void sendLater(key, wait);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
