import type { LanguageName } from '../../../src-shared/contract/language-names.ts';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';

/** How long an offer is believed, and a question stands: a process that was killed can't take them back. */
const VALID_MS = 100_000;
/** Rows of the table. */
const [OFFER, QUESTION] = [1, 2];
/** An unchanged offer is written again after this time. */
const RENEW_MS = 40_000;

/** What the household's own process translates for recipients. It has neither addresses nor keys of models. */
export interface TranslationOffer {
  /** Whether a model of this computer or its network translates. */
  home: boolean;
  /** The ids of all models that may be named. */
  models: string[];
  usual: LanguageName;
  offered: LanguageName[];
}

export type TranslationOffers = ReturnType<typeof createTranslationOffers>;

/** The offer in the database, by which a second process knows what the household's own one translates. */
export function createTranslationOffers({ db, clock }: { db: Database; clock: Clock }) {
  let written = { text: '', at: 0 };
  const put = (id: number, text: string): void =>
    void db
      .prepare(
        `INSERT INTO share_translation_offer (id, offer, valid_until) VALUES (?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET offer = excluded.offer, valid_until = excluded.valid_until`,
      )
      .run(id, text, toTimestamp(clock.now() + VALID_MS));
  const get = (id: number): string | undefined =>
    db
      .prepare('SELECT offer FROM share_translation_offer WHERE id = ? AND valid_until > ?')
      .pluck()
      .get(id, toTimestamp(clock.now())) as string | undefined;
  return {
    /** Says that a second process wants to know; without one, nothing is written for it. */
    ask: (): void => put(QUESTION, 'null'),
    isAsked: (): boolean => get(QUESTION) !== undefined,
    /** Writes the offer if it has changed or would soon be too old. */
    publish(current: TranslationOffer): void {
      const text = JSON.stringify(current);
      if (text === written.text && clock.now() - written.at < RENEW_MS) return;
      put(OFFER, text);
      written = { text, at: clock.now() };
    },
    withdraw(): void {
      if (written.text === '') return;
      written = { text: '', at: 0 };
      db.prepare('DELETE FROM share_translation_offer WHERE id = ?').run(OFFER);
    },
    /** Null while the household's own process does not run. */
    current(): TranslationOffer | null {
      const row = get(OFFER);
      return row === undefined ? null : (JSON.parse(row) as TranslationOffer);
    },
    /** Whether recipients wait for translations. */
    hasRequests: (): boolean =>
      db.prepare("SELECT 1 FROM jobs WHERE kind = 'translate_region' AND state = 'queued' LIMIT 1").get() !== undefined,
  };
}
