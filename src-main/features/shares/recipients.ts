import type { z } from 'zod';
import type { share as contract, SharedDetail } from '../../../src-shared/contract/share.ts';
import { createAudit } from '../../platform/audit/audit.ts';
import type { SplitDatabase } from '../../platform/database/split-database.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { randomToken } from '../../platform/kernel/ids.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { FrameRenderer } from '../../reading/dicom/render.ts';
import type { Watermark } from '../../reading/providers/watermark/watermark.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import { createAttemptRepository } from './attempt-repository.ts';
import { createShareAuditRepository } from './audit-repository.ts';
import { createCodeRepository } from './code-repository.ts';
import { createCodes, type SendCode } from './codes.ts';
import { createHealthLinkDoor } from './health-link/door.ts';
import { createHealthLinkRepository } from './health-link/repository.ts';
import { createShareKeys } from './keys.ts';
import { createShareLimits } from './limits.ts';
import { createRecordRepository, type RecordRepository } from './record-repository.ts';
import { createPageCounts, type PageCounts } from './page-counts.ts';
import { createSeatRepository, prepareOpenCheck, prepareSessionLookup, type OpenSession } from './seat-repository.ts';
import { createSeats, type Seats } from './seats.ts';
import { createSharedFiles } from './shared-files.ts';
import { createSharedTranslations, type Translator } from './shared-translations.ts';
import { createSharedText, type SharedTextDeps } from './shared-text.ts';
import { createShareAudit } from './share-audit.ts';

type Me = z.input<typeof contract.me.reply>;

export interface RecipientDeps {
  db: SplitDatabase;
  /** Draws the copies that leave. */
  watermark: Watermark;
  /** Draws the frames of imaging studies. */
  renderer: Pick<FrameRenderer, 'renderFrame'>;
  /** Returns the absolute path of a vault path; throws if it leaves the vault. */
  resolve(path: string): string;
  /** Reads the text of scans. */
  ocr: SharedTextDeps['ocr'];
  /** The key of the vault. */
  vaultKey: Buffer;
  clock: Clock;
  log: Log;
  sendCode: () => SendCode;
  /** Translates for recipients; null where nothing is translated. */
  translator: Translator | null;
}
interface ReadDeps {
  records: RecordRepository;
  pages: PageCounts;
  seats: Pick<Seats, 'isOpen' | 'nameOf' | 'nameOfShare'>;
  translations: Pick<ReturnType<typeof createSharedTranslations>, 'describe'>;
}

export type Recipients = ReturnType<typeof createRecipients>;

/**
 * What recipients of shares can do. It has connections of its own, so that it also runs beside the process of the
 * household.
 */
export function createRecipients({
  db,
  watermark,
  renderer,
  resolve,
  ocr,
  vaultKey,
  clock,
  log,
  sendCode,
  translator,
}: RecipientDeps) {
  const { reader, writer } = db;
  const keys = createShareKeys(vaultKey);
  const limits = createShareLimits({ attempts: createAttemptRepository(writer), clock, keys });
  const audit = createShareAudit({
    trail: createShareAuditRepository(writer),
    audit: createAudit({ db: writer, clock }),
    clock,
  });
  const seats = createSeats({
    writer,
    seats: createSeatRepository(writer),
    findSession: prepareSessionLookup(reader),
    isSessionOpen: prepareOpenCheck(reader),
    keys,
    audit,
    clock,
    newSecret: randomToken,
  });
  const records = createRecordRepository(reader);
  const codes = createCodes({
    writer,
    codes: createCodeRepository(writer),
    keys,
    limits,
    seats,
    audit,
    clock,
    log,
    sendCode,
  });
  const translations = createSharedTranslations({ writer, records, limits, audit, resolve, translator });
  const fileDeps = { records, watermark, renderer, resolve, seats, audit, clock };
  return {
    codes,
    seats,
    audit,
    healthLinks: createHealthLinkDoor({
      ...{ writer, records, keys, limits, audit, clock, resolve, vaultKey },
      links: createHealthLinkRepository(writer),
    }),
    files: createSharedFiles(fileDeps),
    texts: createSharedText({ ...fileDeps, ocr }),
    translations,
    /** Whether a share is open that contains the document. */
    isOpenFor: (shareId: string, id: number): boolean => records.isOpenFor(shareId, id, toTimestamp(clock.now())),
    ...bindFirst(
      { records, translations, seats, pages: createPageCounts(fileDeps) },
      { me: describeShare, document: findDocument },
    ),
    /** Ends what is overdue; to be called from time to time. */
    tidy(): void {
      seats.endOverdue();
      limits.prune();
    },
  };
}

async function describeShare(deps: ReadDeps, session: OpenSession, signal: AbortSignal): Promise<Me> {
  const { records, translations, pages } = deps;
  const documents = await pages.complete(session.share_id, records.documents(session.share_id), signal);
  requireOpen(deps, session.rowid);
  return {
    session: deps.seats.nameOf(session.rowid),
    share: deps.seats.nameOfShare(session.share_id),
    recipient_label: session.recipient_label,
    patient_name: records.patientName(session.share_id),
    share_expires_at: session.share_expires_at,
    session_expires_at: session.expires_at,
    documents,
    ...translations.describe(session),
  };
}

/** A document of the share. One outside of it does not exist for its recipients. */
async function findDocument(
  deps: ReadDeps,
  { shareId, sessionId }: { shareId: string; sessionId: number },
  id: number,
  signal: AbortSignal,
): Promise<SharedDetail> {
  const found = orNotFound(deps.records.document(shareId, id), 'document.not_found');
  const [complete = found] = await deps.pages.complete(shareId, [found], signal);
  requireOpen(deps, sessionId);
  return complete;
}

/** The session may have ended while pages were counted. */
function requireOpen({ seats }: ReadDeps, rowid: number): void {
  if (!seats.isOpen(rowid)) throw fail('share.session_ended');
}
