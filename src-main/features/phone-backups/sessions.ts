import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { WorkerCrash } from '../../platform/kernel/worker-pool.ts';
import { startThread, type OpenThread } from './open-thread.ts';
import type { Sandbox } from './sandbox.ts';

/** A session ends, and its keys are erased, after this time without use; the page locks itself after the same time. */
export const TTL_SECONDS = 15 * 60;
const TTL_MS = TTL_SECONDS * 1000;
/** A session ends after this time even if it is in use. */
const MAX_SESSION_MS = 12 * 3_600_000;
/** How often expired sessions are ended. */
const SWEEP_MS = 15_000;
/** An unused prepared thread ends after this time. */
const SPARE_MS = 5 * 60_000;
/** A check this late means that the computer was asleep, and another person may have woken it. */
const SLEPT_MS = 60_000;
/** Wrong passwords in a row that do not slow down the next attempt. */
const FREE_ATTEMPTS = 5;
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

interface OpenBackup {
  backupId: string;
  thread: OpenThread;
  sandbox: string;
  isEncrypted: boolean;
  /** HMAC of the password that opened it, with a key of this process. */
  passwordProof: Buffer;
  tokens: Set<string>;
  /** Number of background tasks that keep the session open without requests. */
  tasks: number;
}
interface Session {
  backup: OpenBackup;
  startedAt: number;
  usedAt: number;
}
interface UnlockTarget {
  id: string;
  folder: string;
  is_encrypted: boolean;
}
interface SessionDeps {
  clock: Clock;
  sandbox: Sandbox;
}

export interface Sessions {
  /**
   * Unlocks a backup and returns a token, unless the client disconnects meanwhile. Throws the errors of the ios-backup
   * library, and `phone.incorrect_password`.
   */
  unlock(backup: UnlockTarget, password: string, signal?: AbortSignal): Promise<string>;
  /** Returns the open backup of a token. Throws `phone.session_invalid`, `phone.session_mismatch`. */
  use(token: string | null, backupId: string): OpenThread;
  /** Ends a session; does nothing if it has ended. Throws `phone.session_mismatch`. */
  lock(token: string | null, backupId: string): Promise<void>;
  /** Ends all sessions of a backup, or all sessions including those that are being opened. */
  lockAll(backupId?: string): Promise<void>;
  /** Starts a thread for the next unlock, which then only has to derive the keys. */
  prepare(): void;
  isOpen(backupId: string): boolean;
  isOpening(backupId: string): boolean;
  /** Keeps a backup open until the task is done, even if no request uses it. */
  keepOpen<T>(thread: OpenThread, task: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Creates the sessions of unlocked backups, and ends them when they expire. */
export function createSessions(deps: SessionDeps): Sessions {
  const sessions = new SessionStore(deps);
  void sessions.sweep();
  return sessions;
}

class SessionStore implements Sessions {
  readonly #clock: Clock;
  readonly #sandbox: Sandbox;
  readonly #secret = randomBytes(32);
  readonly #sessions = new Map<string, Session>();
  readonly #open = new Map<string, OpenBackup>();
  /** Number of pending unlock attempts by backup. */
  readonly #opening = new Map<string, number>();
  /** Threads that derive keys for a backup that is not open yet. */
  readonly #deriving = new Set<OpenThread>();
  /** Number of calls of `lockAll` for all backups, so that an unlock that was requested earlier is refused. */
  #lockCount = 0;
  /** Wrong passwords in a row, by backup. */
  readonly #failures = new Map<string, number>();
  /** Attempts on one backup run one after another, so that parallel requests can't bypass the delay. */
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #closing = new AbortController();
  #spare: { thread: OpenThread; since: number } | null = null;

  constructor({ clock, sandbox }: SessionDeps) {
    this.#clock = clock;
    this.#sandbox = sandbox;
  }

  unlock(backup: UnlockTarget, password: string, signal = new AbortController().signal): Promise<string> {
    const lockCount = this.#lockCount;
    const attempt = (this.#queues.get(backup.id) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#attempt(backup, password, signal, lockCount))
      .then(async (token) => {
        if (signal.aborted) await this.#endSession(token);
        return token;
      });
    this.#queues.set(backup.id, attempt);
    return attempt;
  }

  /** Skips the attempt if the client disconnected or all backups were locked meanwhile. */
  async #attempt(
    target: UnlockTarget,
    password: string,
    disconnected: AbortSignal,
    lockCount: number,
  ): Promise<string> {
    const assertWanted = (): void => {
      if (disconnected.aborted) throw fail('request.aborted');
      this.#assertNotLocked(lockCount);
    };
    assertWanted();
    const openBackup = this.#open.get(target.id);
    if (openBackup && this.#mayShare(openBackup, password)) return this.#issueToken(openBackup);
    await this.#delayAttempt(target.id, disconnected);
    assertWanted();
    const backup: OpenBackup = {
      backupId: target.id,
      thread: this.#takeThread(),
      sandbox: this.#sandbox.make('open'),
      isEncrypted: target.is_encrypted,
      passwordProof: this.#proofOf(password),
      tokens: new Set(),
      tasks: 0,
    };
    await this.#openThread(backup, target.folder, password, lockCount);
    this.#failures.delete(target.id);
    // If the password was changed between two sessions, both stay open and the newer one is found first.
    this.#open.delete(target.id);
    this.#open.set(target.id, backup);
    return this.#issueToken(backup);
  }

  /** Opens another session of an open backup for a client with its password. */
  #mayShare(backup: OpenBackup, password: string): boolean {
    if (backup.thread.hasEnded) return false;
    return !backup.isEncrypted || timingSafeEqual(backup.passwordProof, this.#proofOf(password));
  }

  async #delayAttempt(backupId: string, disconnected: AbortSignal): Promise<void> {
    const failures = this.#failures.get(backupId) ?? 0;
    if (failures < FREE_ATTEMPTS) return;
    const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_ATTEMPTS));
    await this.#clock.sleep(delay, AbortSignal.any([this.#closing.signal, disconnected]));
  }

  async #openThread(backup: OpenBackup, folder: string, password: string, lockCount: number): Promise<void> {
    const { backupId, sandbox } = backup;
    const request = { folder, sandbox, password };
    this.#opening.set(backupId, (this.#opening.get(backupId) ?? 0) + 1);
    this.#deriving.add(backup.thread);
    try {
      await backup.thread.call('open', request).catch((error: unknown) => {
        // What was opened before may have broken the process, so it is tried once more in a new one.
        if (!((error as Error).cause instanceof WorkerCrash)) throw error;
        this.#assertNotLocked(lockCount);
        this.#deriving.delete(backup.thread);
        backup.thread = startThread();
        this.#deriving.add(backup.thread);
        return backup.thread.call('open', request);
      });
      this.#assertNotLocked(lockCount);
    } catch (error) {
      await this.#endBackup(backup);
      if ((error as { code?: string }).code === 'phone.incorrect_password')
        this.#failures.set(backupId, (this.#failures.get(backupId) ?? 0) + 1);
      throw error;
    } finally {
      this.#deriving.delete(backup.thread);
      this.#opening.set(backupId, (this.#opening.get(backupId) ?? 1) - 1);
    }
  }

  #assertNotLocked(lockCount: number): void {
    if (lockCount !== this.#lockCount) throw fail('phone.session_invalid');
  }

  #proofOf(password: string): Buffer {
    return createHmac('sha256', this.#secret).update(password.normalize('NFC')).digest();
  }

  #issueToken(backup: OpenBackup): string {
    const token = randomBytes(32).toString('base64url');
    backup.tokens.add(token);
    this.#sessions.set(token, { backup, startedAt: this.#clock.now(), usedAt: this.#clock.now() });
    return token;
  }

  use(token: string | null, backupId: string): OpenThread {
    const session = this.#sessionOf(token);
    if (!session) throw fail('phone.session_invalid');
    if (session.backup.backupId !== backupId) throw fail('phone.session_mismatch');
    session.usedAt = this.#clock.now();
    return session.backup.thread;
  }

  async lock(token: string | null, backupId: string): Promise<void> {
    if (token === null) throw fail('phone.session_invalid');
    const session = this.#sessionOf(token);
    if (!session) return;
    if (session.backup.backupId !== backupId) throw fail('phone.session_mismatch');
    await this.#endSession(token);
  }

  async lockAll(backupId?: string): Promise<void> {
    if (backupId === undefined) {
      this.#lockCount += 1;
      for (const thread of this.#deriving) void thread.end();
    }
    const backups = new Set([...this.#sessions.values()].map(({ backup }) => backup));
    await Promise.all(
      [...backups]
        .filter((backup) => backupId === undefined || backup.backupId === backupId)
        .map((backup) => this.#endBackup(backup)),
    );
  }

  prepare(): void {
    if (!this.#closing.signal.aborted) this.#spare ??= { thread: startThread(), since: this.#clock.now() };
  }

  isOpen(backupId: string): boolean {
    return this.#open.has(backupId);
  }

  isOpening(backupId: string): boolean {
    return (this.#opening.get(backupId) ?? 0) > 0;
  }

  async keepOpen<T>(thread: OpenThread, task: () => Promise<T>): Promise<T> {
    const backup = [...this.#open.values()].find((candidate) => candidate.thread === thread);
    if (!backup) return task();
    backup.tasks += 1;
    try {
      return await task();
    } finally {
      backup.tasks -= 1;
      for (const token of backup.tokens) {
        const session = this.#sessions.get(token);
        if (session) session.usedAt = this.#clock.now();
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#spare?.thread.end(), this.lockAll()]);
  }

  /** Ends expired sessions until the store is closed. */
  async sweep(): Promise<void> {
    let lastSweepAt = this.#clock.now();
    while (await this.#clock.sleep(SWEEP_MS, this.#closing.signal)) {
      const hasSlept = this.#clock.now() - lastSweepAt > SWEEP_MS + SLEPT_MS;
      lastSweepAt = this.#clock.now();
      if (this.#spare && this.#clock.now() - this.#spare.since >= SPARE_MS) this.#dropSpare();
      if (hasSlept) await this.lockAll();
      for (const [token, session] of this.#sessions) if (this.#isExpired(session)) await this.#endSession(token);
    }
  }

  #sessionOf(token: string | null): Session | null {
    const session = token === null ? undefined : this.#sessions.get(token);
    if (session && !this.#isExpired(session) && !session.backup.thread.hasEnded) return session;
    if (token !== null && session) void this.#endSession(token);
    return null;
  }

  #isExpired({ startedAt, usedAt, backup }: Session): boolean {
    const now = this.#clock.now();
    return (backup.tasks === 0 && now - usedAt >= TTL_MS) || now - startedAt >= MAX_SESSION_MS;
  }

  async #endSession(token: string): Promise<void> {
    const session = this.#sessions.get(token);
    if (!session) return;
    this.#sessions.delete(token);
    session.backup.tokens.delete(token);
    if (session.backup.tokens.size === 0) await this.#endBackup(session.backup);
  }

  async #endBackup(backup: OpenBackup): Promise<void> {
    for (const token of backup.tokens) this.#sessions.delete(token);
    backup.tokens.clear();
    if (this.#open.get(backup.backupId) === backup) this.#open.delete(backup.backupId);
    backup.passwordProof.fill(0);
    // The thread erases its keys. If it does not reply in time, terminating it frees its memory.
    await Promise.race([backup.thread.call('lock', undefined).catch(() => undefined), this.#clock.sleep(1000)]);
    await backup.thread.end();
    await this.#sandbox.remove(backup.sandbox);
  }

  #takeThread(): OpenThread {
    const spare = this.#spare;
    this.#spare = null;
    return spare && !spare.thread.hasEnded ? spare.thread : startThread();
  }

  #dropSpare(): void {
    void this.#spare?.thread.end();
    this.#spare = null;
  }
}
