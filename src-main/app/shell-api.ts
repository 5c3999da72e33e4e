import type { ErrorReference } from '../../src-shared/contract/errors.ts';
import type { Caller, UserCaller } from '../platform/kernel/caller.ts';
import { ownerOf } from '../reading/pipeline/state.ts';
import type { ReadingParts } from './compose-reading.ts';
import type { RecordParts } from './compose-records.ts';
import type { ShareParts } from './compose-shares.ts';
import type { Platform } from './open-platform.ts';

/** What happens in the records that a user may see, in numbers. */
export interface Activity {
  waiting: number;
  isReading: boolean;
  /** Whether reading was stopped, by a person or by itself. */
  isStopped: boolean;
  /** How many readings have ended since the vault exists. */
  ended: number;
  toReview: number;
  /** How often recipients opened shares of the user's patients. */
  openings: number;
}

/** What the desktop shell may ask for the user who is signed in at its window, known by the window's cookies. */
export interface ShellApi {
  /** Null if nobody is signed in. */
  activity(cookie: string): Activity | null;
  /** The absolute path of a document's file; null if the user may not see it. */
  fileOf(cookie: string, documentId: number): string | null;
  isSignedIn(cookie: string): boolean;
  isAdministrator(cookie: string): boolean;
  /** The address of the links of shares. */
  shareAddress(): string;
  /** Whether recipients can open any share now. */
  hasLiveShares(): boolean;
  /** Makes reading wait, or lets it go on unless a person stopped it. */
  holdReading(error: ErrorReference): void;
  releaseReading(code: ErrorReference['code']): void;
}

interface ShellApiDeps {
  platform: Pick<Platform, 'db' | 'access' | 'vault'>;
  pipeline: ReadingParts['pipeline'];
  documents: RecordParts['documents'];
  shareParts: Pick<ShareParts, 'shares' | 'listener' | 'hasOpenShares'>;
  callerOf(cookie: string): Caller;
}

/** What a running core answers. */
export function createShellApi(deps: ShellApiDeps): ShellApi {
  const { pipeline, shareParts, callerOf } = deps;
  const userOf = (cookie: string): UserCaller | null => {
    const caller = callerOf(cookie);
    return caller.kind === 'user' ? caller : null;
  };
  return {
    activity(cookie) {
      const user = userOf(cookie);
      return user && activityOf(deps, user);
    },
    fileOf(cookie, documentId) {
      const user = userOf(cookie);
      return user && fileOf(deps, user, documentId);
    },
    isSignedIn: (cookie) => userOf(cookie) !== null,
    isAdministrator: (cookie) => userOf(cookie)?.role === 'admin',
    shareAddress: () => shareParts.listener.status().public_url,
    hasLiveShares: () => shareParts.listener.url() !== null && shareParts.hasOpenShares(),
    holdReading: pipeline.hold,
    releaseReading: pipeline.release,
  };
}

/** Counts only what the user may read, also for administrators: a tray is seen by whoever sits at the computer. */
function activityOf({ platform, pipeline, documents, shareParts }: ShellApiDeps, user: UserCaller): Activity {
  const { db, access } = platform;
  const { current_job: job, running } = pipeline.snapshot();
  const counts = pipeline.counts((owner) => access.may(user, 'read', owner));
  const owner = job && ownerOf(db, job.doc_id);
  return {
    waiting: counts.queue_depth,
    isReading: owner ? access.may(user, 'read', owner) : false,
    isStopped: !running,
    ended: counts.total_processed + counts.total_errors,
    toReview: documents.queries.list({ status: ['needs_review', 'failed'], limit: 1, offset: 0 }, user).total,
    openings: shareParts.shares.countOpenings(user),
  };
}

function fileOf({ platform, documents }: ShellApiDeps, user: UserCaller, documentId: number): string | null {
  const owner = ownerOf(platform.db, documentId);
  if (owner === undefined || !platform.access.may(user, 'read', owner)) return null;
  const path = documents.store.load(documentId)?.file_path;
  return path ? platform.vault.resolve(path) : null;
}
