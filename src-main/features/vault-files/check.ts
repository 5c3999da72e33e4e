import { join } from 'node:path';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { vault as contract, VaultFault } from '../../../src-shared/contract/vault-files.ts';
import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import { SYSTEM_ACTOR, type Audit } from '../../platform/audit/audit.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { createCheckRepository, type CheckRow } from './check-repository.ts';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { createPaths } from '../../platform/vault/paths.ts';
import { createVaultRepository } from '../../platform/vault/repository.ts';
import { belongingOfDocument, createRights, type Rights } from '../../platform/vault/rights.ts';
import { verifyRest, verifySlice, type Fault } from '../../platform/vault/verify.ts';

export interface CheckDeps {
  db: Database;
  root: string;
  clock: Clock;
  log: Log;
  access: AccessRules;
  audit: Pick<Audit, 'record'>;
  files: FileWorker;
  announce(message: LiveMessage): void;
}

type State = ReplyInput<typeof contract.check>;
export type VaultChecks = ReturnType<typeof createVaultChecks>;

/** Faults stored at most; more mean that a whole disk is lost. */
const MAX_FAULTS = 5000;

/** An integrity check starts automatically after a week without one. */
const EVERY_MS = 7 * 86_400_000;
/** How often it is looked whether that is so: the first time when the program has had time to read what waits. */
const SCHEDULE_CHECK_MS = 1_800_000;

/** Compares the whole vault in the background, in slices: what was compared counts after a restart. One at a time. */
export function createVaultChecks({ db, root, clock, log, access, audit, files, announce }: CheckDeps) {
  const repository = createCheckRepository(db);
  const rows = createVaultRepository(db);
  const now = (): string => toTimestamp(clock.now());
  const closing = new AbortController();
  let running: { stop: AbortController; ended: Promise<void> } | null = null;

  const tell = (row: CheckRow): void =>
    announce({
      kind: 'check',
      status: row.status,
      documents: row.documents,
      total: repository.documentCount(),
      fault_count: row.faults.length,
    });

  async function work(id: number, signal: AbortSignal): Promise<void> {
    const deps = { db, paths: createPaths(root), signal, hash: files.hash, hashAll: files.hashAll };
    for (let position: number | null = repository.get(id).position; position !== null;) {
      const slice = await verifySlice(deps, position);
      signal.throwIfAborted();
      tell(repository.advance(id, slice, slice.faults.map(asFound)));
      position = slice.last;
    }
    const [rest, damage] = [await verifyRest(deps), await files.databaseFaults(join(root, 'vault.db'), signal)];
    signal.throwIfAborted();
    const found: VaultFault[] = [
      ...rest.faults.map(asFound),
      ...damage.map((path): VaultFault => ({ kind: 'database', path, document_id: null, same_as: null })),
    ];
    tell(repository.finish(id, found.slice(0, MAX_FAULTS), now()));
  }

  function run(id: number): void {
    const stop = new AbortController();
    const ended = work(id, stop.signal)
      .catch((err: unknown) => {
        if (stop.signal.aborted) return;
        log.error({ err }, 'the check of the vault broke off');
        tell(repository.cancel(id, now()));
      })
      .finally(() => {
        running = null;
      });
    running = { stop, ended };
  }

  function begin(): number {
    const id = repository.insert(now());
    tell(repository.get(id));
    run(id);
    return id;
  }

  async function watch(): Promise<void> {
    while (await clock.sleep(SCHEDULE_CHECK_MS, closing.signal)) {
      try {
        const last = repository.latest();
        if (
          running ||
          repository.documentCount() === 0 ||
          (last && clock.now() - fromTimestamp(last.started_at) < EVERY_MS)
        )
          continue;
        audit.record(
          { action: 'vault.verify', resourceType: 'vault', resourceId: begin(), details: { scheduled: true } },
          SYSTEM_ACTOR,
        );
      } catch (err) {
        log.error({ err }, 'a planned check of the vault could not be begun');
      }
    }
  }

  async function halt(): Promise<void> {
    running?.stop.abort();
    await running?.ended;
  }

  function state(user: UserCaller): State {
    const row = repository.latest();
    const rights = createRights({ access, repository: rows }, user);
    return {
      check: row
        ? {
            ...row,
            total: row.status === 'running' ? repository.documentCount() : row.documents,
            fault_count: row.faults.length,
            faults: row.faults.map((fault) =>
              maySee(rights, fault) ? fault : { ...fault, path: null, document_id: null, same_as: null },
            ),
          }
        : null,
      last_whole_at: repository.lastWhole(),
    };
  }

  /** Names of files say what somebody suffers from: they are for those who may see the documents. */
  function maySee(rights: Rights, fault: VaultFault): boolean {
    if (fault.kind === 'database' || fault.kind === 'lost_trash' || fault.path === null) return true;
    const document = fault.document_id === null ? undefined : rows.documentById(fault.document_id);
    return rights.may('read', document ? belongingOfDocument(document) : rights.belongingOfPlace(fault.path));
  }

  return {
    state,
    start(user: UserCaller): State {
      if (!running) begin();
      return state(user);
    },
    async stop(user: UserCaller): Promise<State> {
      const row = repository.latest();
      await halt();
      if (row?.status === 'running' && repository.get(row.id).status === 'running')
        tell(repository.cancel(row.id, now()));
      return state(user);
    },
    /** At the start of the program: goes on where the last one ended; from now on the vault is compared once a week. */
    resume(): void {
      const row = repository.latest();
      if (row?.status === 'running' && !running) run(row.id);
      void watch();
    },
    /** At its end: the check stays where it is. */
    async close(): Promise<void> {
      closing.abort();
      await halt();
    },
  };
}

const asFound = (fault: Fault): VaultFault => ({
  kind: fault.kind,
  path: fault.path,
  document_id: 'document_id' in fault ? fault.document_id : null,
  same_as: 'same_as' in fault ? fault.same_as : null,
});
