import { storeRegionRequest } from '../features/documents/service.ts';
import { createTranslationOffers, type TranslationOffer, type Translator } from '../features/shares/service.ts';
import type { Database } from '../platform/database/connection.ts';
import type { SplitDatabase } from '../platform/database/split-database.ts';
import type { Clock } from '../platform/kernel/clock.ts';
import type { Log } from '../platform/kernel/log.ts';
import { createQueue } from '../reading/pipeline/queue.ts';

/** How often the household's own process looks for what recipients of a second process ask for. */
const LOOK_MS = 2_000;

/**
 * Translations for recipients of a process in share mode. It has no models and none of their keys: it reads what the
 * household's own process offers, and leaves requests in the queue of that process.
 */
export function createRemoteTranslator(
  { reader, writer }: SplitDatabase,
  clock: Clock,
): Translator & {
  /** Asks the household's own process what it offers; to be called from time to time. */
  ask(): void;
} {
  const offers = createTranslationOffers({ db: reader, clock });
  const queue = createQueue(writer, clock);
  return {
    ask: createTranslationOffers({ db: writer, clock }).ask,
    isAvailable({ providerId }) {
      const offer = offers.current();
      return offer !== null && (providerId === null ? offer.home : offer.models.includes(providerId));
    },
    languages: () => offers.current() ?? { usual: 'English', offered: [] },
    request(documentId, { page, bbox, language, ocrProvider }, { shareId, providerId, furthest }) {
      const part = { page, bbox, language, ocrProvider, modelId: providerId };
      return storeRegionRequest({ db: writer, clock, queue }, documentId, part, {
        shareId,
        ...(furthest && { furthest }),
      });
    },
  };
}

interface ServingDeps {
  /** Written by this process only. */
  db: Database;
  clock: Clock;
  log: Log;
  offer: () => TranslationOffer;
  hasOpenShares: () => boolean;
  /** Starts pending work. */
  wake: () => void;
}

/**
 * Tells a process in share mode what is translated, and looks for its requests, as long as there is one and a share is open.
 * Returns how to end it.
 */
export function serveShareMode({ db, clock, log, offer, hasOpenShares, wake }: ServingDeps): () => void {
  const offers = createTranslationOffers({ db, clock });
  const stopped = new AbortController();
  const look = (): void => {
    try {
      if (!offers.isAsked() || !hasOpenShares()) return;
      offers.publish(offer());
      if (offers.hasRequests()) wake();
    } catch (err) {
      log.warn({ err }, 'a second process could not be told what is translated');
    }
  };
  void (async () => {
    do look();
    while (await clock.sleep(LOOK_MS, stopped.signal));
  })();
  return () => {
    stopped.abort();
    try {
      offers.withdraw();
    } catch (err) {
      log.warn({ err }, 'the offer to translate ends by itself');
    }
  };
}
