import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { startThread, type OpenThread } from './open-thread.ts';
import type { Sandbox } from './sandbox.ts';

/** A session ends this long after it was last used. */
export const TTL_SECONDS = 3600;
const TTL_MS = TTL_SECONDS * 1000;
/** However busy it is. */
const LONGEST_MS = 12 * 3_600_000;
/** How often the idle ones are looked for. */
const SWEEP_MS = 15_000;
/** A thread that was prepared and not needed ends. */
const SPARE_MS = 5 * 60_000;
/** The clock jumped by this much more than we slept: the computer slept, and somebody else may have opened it. */
const SLEPT_MS = 60_000;
/** Wrong passphrases in a row that are answered without delay. */
const FREE_ATTEMPTS = 5;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

interface Opened {
  backupId: string;
  thread: OpenThread;
  sandbox: string;
  isEncrypted: boolean;
  /** Of the passphrase that opened it, under a key of this process. */ proof: Buffer;
  tokens: Set<string>;
  /** Work that goes on although nobody asks. */ busy: number;
}
interface Session {
  opened: Opened;
  startedAt: number;
  usedAt: number;
}

export interface Sessions {
  /** Opens a backup and gives a token, unless whoever asked has gone. Throws what the engine throws, and `phone.incorrect_password`. */
  unlock(
    backup: { id: string; folder: string; is_encrypted: boolean },
    passphrase: string,
    signal?: AbortSignal,
  ): Promise<string>;
  /** The open backup of a token. Throws `phone.session_invalid`, `phone.session_mismatch`. */
  use(token: string | null, backupId: string): OpenThread;
  /** Ends a session; nothing happens when it is over already. Throws `phone.session_mismatch`. */
  lock(token: string | null, backupId: string): Promise<void>;
  /** Ends all sessions of a backup; or of all, and what is being opened with them. */
  lockAll(backupId?: string): Promise<void>;
  /** Somebody looks at backups, and will open one: a thread is started for it, so that unlocking takes no longer than deriving the keys. */
  prepare(): void;
  isOpen(backupId: string): boolean;
  isOpening(backupId: string): boolean;
  /** The open backup stays open until the work is done, without anybody asking. */
  during<T>(thread: OpenThread, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createSessions({
  clock,
  sandbox,
  changed,
}: {
  clock: Clock;
  sandbox: Sandbox;
  /** A backup was opened or locked. */ changed: (backupId: string) => void;
}): Sessions {
  const secret = randomBytes(32);
  const sessions = new Map<string, Session>();
  const opened = new Map<string, Opened>();
  const opening = new Map<string, number>();
  /** Threads that derive keys for a backup that is not open yet. */
  const deriving = new Set<OpenThread>();
  /** How often everything was locked: what was asked for before is not opened after. */
  let lockings = 0;
  const failures = new Map<string, number>();
  /** Attempts on one backup come one after the other: a hundred at once are not a hundred for the price of one. */
  const queues = new Map<string, Promise<unknown>>();
  const ended = new AbortController();

  let spare: { thread: OpenThread; since: number } | null = null;
  const takeThread = (): OpenThread => {
    const ready = spare;
    spare = null;
    return ready && !ready.thread.ended ? ready.thread : startThread();
  };
  const dropSpare = (): void => {
    void spare?.thread.end();
    spare = null;
  };

  const proofOf = (passphrase: string): Buffer =>
    createHmac('sha256', secret).update(passphrase.normalize('NFC')).digest();

  function issue(open: Opened): string {
    const token = randomBytes(32).toString('base64url');
    open.tokens.add(token);
    sessions.set(token, { opened: open, startedAt: clock.now(), usedAt: clock.now() });
    return token;
  }

  async function endBackup(open: Opened): Promise<void> {
    for (const token of open.tokens) sessions.delete(token);
    open.tokens.clear();
    if (opened.get(open.backupId) === open) opened.delete(open.backupId);
    open.proof.fill(0);
    changed(open.backupId);
    // The thread wipes its keys itself; whatever holds it up, its memory goes with it.
    await Promise.race([open.thread.call('lock', undefined).catch(() => undefined), clock.sleep(1000)]);
    await open.thread.end();
    await sandbox.remove(open.sandbox);
  }

  async function endSession(token: string): Promise<void> {
    const session = sessions.get(token);
    if (!session) return;
    sessions.delete(token);
    session.opened.tokens.delete(token);
    if (session.opened.tokens.size === 0) await endBackup(session.opened);
  }

  const isOver = ({ startedAt, usedAt, opened: open }: Session): boolean =>
    (open.busy === 0 && clock.now() - usedAt >= TTL_MS) || clock.now() - startedAt >= LONGEST_MS;

  /** Who does not wait for the answer is not told, and holds up nobody: the passphrase is not tried. Nor is it after everything was locked. */
  async function attempt(
    backup: Parameters<Sessions['unlock']>[0],
    passphrase: string,
    gone: AbortSignal,
    asked: number,
  ): Promise<string> {
    const assertNotLocked = (): void => {
      if (asked !== lockings) throw fail('phone.session_invalid');
    };
    const assertWanted = (): void => {
      if (gone.aborted) throw fail('request.aborted');
      assertNotLocked();
    };
    assertWanted();
    const known = opened.get(backup.id);
    if (known && !known.thread.ended && (!known.isEncrypted || timingSafeEqual(known.proof, proofOf(passphrase))))
      return issue(known);
    const failed = failures.get(backup.id) ?? 0;
    if (failed >= FREE_ATTEMPTS)
      await clock.sleep(
        Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failed - FREE_ATTEMPTS)),
        AbortSignal.any([ended.signal, gone]),
      );
    assertWanted();
    const open: Opened = {
      backupId: backup.id,
      thread: takeThread(),
      sandbox: sandbox.make('open'),
      isEncrypted: backup.is_encrypted,
      proof: proofOf(passphrase),
      tokens: new Set(),
      busy: 0,
    };
    opening.set(backup.id, (opening.get(backup.id) ?? 0) + 1);
    changed(backup.id);
    deriving.add(open.thread);
    try {
      await open.thread.call('open', { folder: backup.folder, sandbox: open.sandbox, passphrase });
      assertNotLocked();
    } catch (error) {
      await endBackup(open);
      if ((error as { code?: string }).code === 'phone.incorrect_password') failures.set(backup.id, failed + 1);
      throw error;
    } finally {
      deriving.delete(open.thread);
      opening.set(backup.id, (opening.get(backup.id) ?? 1) - 1);
    }
    failures.delete(backup.id);
    if (opened.has(backup.id)) {
      // The passphrase was changed between two sessions of the same folder: both stay, the newer one is found first.
      opened.delete(backup.id);
    }
    opened.set(backup.id, open);
    changed(backup.id);
    return issue(open);
  }

  async function sweep(): Promise<void> {
    let before = clock.now();
    while (await clock.sleep(SWEEP_MS, ended.signal)) {
      const slept = clock.now() - before > SWEEP_MS + SLEPT_MS;
      before = clock.now();
      if (spare && clock.now() - spare.since >= SPARE_MS) dropSpare();
      if (slept) await self.lockAll();
      for (const [token, session] of sessions) if (isOver(session)) await endSession(token);
    }
  }
  void sweep();

  const sessionOf = (token: string | null): Session | null => {
    const session = token === null ? undefined : sessions.get(token);
    if (session && !isOver(session) && !session.opened.thread.ended) return session;
    if (token !== null && session) void endSession(token);
    return null;
  };

  const self: Sessions = {
    unlock(backup, passphrase, signal = new AbortController().signal) {
      const asked = lockings;
      const turn = (queues.get(backup.id) ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => attempt(backup, passphrase, signal, asked))
        .then(async (token) => {
          if (signal.aborted) await endSession(token);
          return token;
        });
      queues.set(backup.id, turn);
      return turn;
    },
    use(token, backupId) {
      const session = sessionOf(token);
      if (!session) throw fail('phone.session_invalid');
      if (session.opened.backupId !== backupId) throw fail('phone.session_mismatch');
      session.usedAt = clock.now();
      return session.opened.thread;
    },
    async lock(token, backupId) {
      if (token === null) throw fail('phone.session_invalid');
      const session = sessionOf(token);
      if (!session) return;
      if (session.opened.backupId !== backupId) throw fail('phone.session_mismatch');
      await endSession(token);
    },
    async lockAll(backupId) {
      if (backupId === undefined) {
        lockings += 1;
        for (const thread of deriving) void thread.end();
      }
      await Promise.all(
        [...new Set([...sessions.values()].map((session) => session.opened))]
          .filter((open) => backupId === undefined || open.backupId === backupId)
          .map(endBackup),
      );
    },
    prepare() {
      if (!ended.signal.aborted) spare ??= { thread: startThread(), since: clock.now() };
    },
    isOpen: (backupId) => opened.has(backupId),
    isOpening: (backupId) => (opening.get(backupId) ?? 0) > 0,
    async during(thread, work) {
      const open = [...opened.values()].find((candidate) => candidate.thread === thread);
      if (open) open.busy += 1;
      try {
        return await work();
      } finally {
        if (open) {
          open.busy -= 1;
          for (const token of open.tokens) {
            const session = sessions.get(token);
            if (session) session.usedAt = clock.now();
          }
        }
      }
    },
    async close() {
      ended.abort();
      await Promise.all([spare?.thread.end(), self.lockAll()]);
    },
  };
  return self;
}
