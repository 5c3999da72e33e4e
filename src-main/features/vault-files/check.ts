import { join } from 'node:path';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { vaultFiles as contract, VaultFault } from '../../../src-shared/contract/vault-files.ts';
import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import { SYSTEM_ACTOR, type Audit } from '../../platform/audit/audit.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { createCheckRepository, type CheckRepository, type CheckRow } from './check-repository.ts';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { DATABASE_FILE } from '../../platform/vault/layout.ts';
import { createPaths } from '../../platform/vault/paths.ts';
import { createVaultRepository, type VaultRepository } from '../../platform/vault/repository.ts';
import { belongingOfDocument, createRights, type Rights } from '../../platform/access/rights.ts';
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

interface Context extends CheckDeps {
  repository: CheckRepository;
  rows: VaultRepository;
}

/** Maximum number of stored faults; more mean that a whole disk was lost. */
const MAX_FAULTS = 5000;

/** Checks among which the last one without faults is sought: those of a year. */
const MAX_ENDED_CHECKS = 60;

/** An integrity check starts automatically after a week without one. */
const CHECK_INTERVAL_MS = 7 * 86_400_000;
/** How often the schedule is checked; the first check is late enough for the inbox to be read first. */
const SCHEDULE_CHECK_MS = 1_800_000;

export const createVaultChecks = (deps: CheckDeps): VaultChecks => new VaultChecks(deps);

/** Compares the whole vault with the database, one check at a time, in slices whose results survive a restart. */
export class VaultChecks {
  readonly #context: Context;
  readonly #closing = new AbortController();
  #running: { stop: AbortController; ended: Promise<void> } | null = null;

  constructor(deps: CheckDeps) {
    this.#context = { ...deps, repository: createCheckRepository(deps.db), rows: createVaultRepository(deps.db) };
  }

  state(user: UserCaller): State {
    return stateFor(this.#context, user);
  }

  isRunning(): boolean {
    return this.#running !== null;
  }

  start(user: UserCaller): State {
    if (!this.#running) this.#begin();
    return this.state(user);
  }

  async stop(user: UserCaller): Promise<State> {
    const { repository } = this.#context;
    const row = repository.latest();
    await this.#halt();
    if (row?.status === 'running' && repository.get(row.id).status === 'running') cancelCheck(this.#context, row.id);
    return this.state(user);
  }

  /** Called at startup: continues an interrupted check and starts the weekly schedule. */
  resume(): void {
    const row = this.#context.repository.latest();
    if (row?.status === 'running' && !this.#running) this.#run(row.id);
    void this.#watchSchedule();
  }

  /** Called at shutdown: the next start continues a running check. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#halt();
  }

  #begin(): number {
    const { repository, clock } = this.#context;
    const id = repository.insert(toTimestamp(clock.now()));
    announceCheck(this.#context, repository.get(id));
    this.#run(id);
    return id;
  }

  #run(id: number): void {
    const stop = new AbortController();
    const ended = compareVault(this.#context, id, stop.signal)
      .catch((err: unknown) => {
        if (stop.signal.aborted) return;
        this.#context.log.error({ err }, 'the check of the vault failed');
        cancelCheck(this.#context, id);
      })
      .finally(() => {
        this.#running = null;
      });
    this.#running = { stop, ended };
  }

  async #halt(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }

  async #watchSchedule(): Promise<void> {
    const { clock, audit, log } = this.#context;
    while (await clock.sleep(SCHEDULE_CHECK_MS, this.#closing.signal)) {
      try {
        if (this.#running || !isDue(this.#context)) continue;
        audit.record(
          { action: 'vault.verify', resourceType: 'vault', resourceId: this.#begin(), details: { scheduled: true } },
          SYSTEM_ACTOR,
        );
      } catch (err) {
        log.error({ err }, 'a scheduled check of the vault could not start');
      }
    }
  }
}

const announceCheck = ({ repository, announce }: Context, row: CheckRow): void =>
  announce({
    kind: 'check',
    status: row.status,
    documents: row.documents,
    total: repository.documentCount(),
    fault_count: row.faults.length,
  });

const cancelCheck = (context: Context, id: number): void =>
  announceCheck(context, context.repository.cancel(id, toTimestamp(context.clock.now())));

function isDue({ repository, clock }: Context): boolean {
  if (repository.documentCount() === 0) return false;
  const last = repository.latest();
  return !last || clock.now() - fromTimestamp(last.started_at) >= CHECK_INTERVAL_MS;
}

/** Continues a check from its stored position to its end. */
async function compareVault(context: Context, id: number, signal: AbortSignal): Promise<void> {
  const { db, root, clock, files, repository } = context;
  const deps = { db, paths: createPaths(root), signal, hash: files.hash, hashAll: files.hashAll };
  for (let position: number | null = repository.get(id).position; position !== null;) {
    const slice = await verifySlice(deps, position);
    signal.throwIfAborted();
    announceCheck(context, repository.advance(id, slice, slice.faults.map(faultOf)));
    position = slice.last;
  }
  const [rest, damage] = [await verifyRest(deps), await files.databaseFaults(join(root, DATABASE_FILE), signal)];
  signal.throwIfAborted();
  const found: VaultFault[] = [
    ...rest.faults.map(faultOf),
    ...damage.map((path): VaultFault => ({ kind: 'database', path, document_id: null, same_as: null })),
  ];
  announceCheck(context, repository.finish(id, found.slice(0, MAX_FAULTS), toTimestamp(clock.now())));
}

/**
 * The latest check as a user may know of it: administrators see that of the whole vault, others only what concerns
 * documents and folders that they may see.
 */
function stateFor({ access, repository, rows }: Context, user: UserCaller): State {
  const look: Look = { rows, rights: createRights({ access, repository: rows }, user), isAdmin: user.role === 'admin' };
  const last_whole_at = lastWholeFor(repository, look);
  const row = repository.latest();
  if (!row) return { check: null, last_whole_at };
  const faults = faultsFor(look, row.faults);
  const counts = look.isAdmin
    ? { total: row.status === 'running' ? repository.documentCount() : row.documents }
    : countsFor(repository, look.rights, row);
  return { check: { ...row, ...counts, fault_count: faults.length, faults }, last_whole_at };
}

/** The counts of a check, of documents that the user may see. */
function countsFor(repository: CheckRepository, rights: Rights, row: CheckRow) {
  const faulty = row.faults.flatMap(({ kind, document_id: id }) => (kind === 'doubled' || id === null ? [] : [id]));
  const counts = { documents: 0, total: 0, files: 0, bytes: 0 };
  for (const owned of repository.documentsByOwner(row.position, faulty)) {
    if (!rights.may('read', owned)) continue;
    counts.documents += owned.compared;
    counts.total += row.status === 'running' ? owned.total : owned.compared;
    counts.files += owned.files;
    counts.bytes += owned.bytes;
  }
  return counts;
}

/** When a check last ended without a fault that the user knows of. Copies are none: two people may have the same file. */
function lastWholeFor(repository: CheckRepository, look: Look): string | null {
  const isWhole = ({ faults }: CheckRow): boolean => faultsFor(look, faults).every(({ kind }) => kind === 'doubled');
  return repository.ended(MAX_ENDED_CHECKS).find(isWhole)?.finished_at ?? null;
}

interface Look {
  rows: VaultRepository;
  rights: Rights;
  isAdmin: boolean;
}

/**
 * The faults as a user may know of them. Administrators know of each fault, but not of the file name of a document that
 * they may not see. Only they learn that somebody else has the same content: others could upload a file to find out who
 * has it (ADR 0061).
 */
function faultsFor(look: Look, faults: readonly VaultFault[]): VaultFault[] {
  return faults.flatMap((fault): VaultFault[] => {
    if (!maySee(look, fault)) return look.isAdmin ? [{ ...fault, path: null, document_id: null, same_as: null }] : [];
    const known = look.isAdmin ? fault : { ...fault, same_as: visibleCopyOf(look, fault) };
    return known.kind === 'doubled' && known.same_as === null ? [] : [known];
  });
}

/** The document that the fault names as having the same content, or the first one that the user may see instead. */
function visibleCopyOf(look: Look, { document_id: ofDocument, same_as }: VaultFault): number | null {
  if (same_as === null || maySeeDocument(look, same_as)) return same_as;
  const copies = look.rows.copiesOf(same_as).filter((id) => ofDocument === null || id < ofDocument);
  return copies.find((id) => maySeeDocument(look, id)) ?? null;
}

function maySeeDocument({ rows, rights }: Look, id: number): boolean {
  const document = rows.documentById(id);
  return document !== undefined && rights.may('read', belongingOfDocument(document));
}

/** File names can reveal diagnoses, so they are visible only to users who may see the document. */
function maySee({ rows, rights, isAdmin }: Look, fault: VaultFault): boolean {
  // The trash contains items of everybody.
  if (fault.kind === 'database' || fault.kind === 'lost_trash' || fault.path === null) return isAdmin;
  const document = fault.document_id === null ? undefined : rows.documentById(fault.document_id);
  return rights.may('read', document ? belongingOfDocument(document) : rights.belongingOfPlace(fault.path));
}

const faultOf = (fault: Fault): VaultFault => ({
  kind: fault.kind,
  path: fault.path,
  document_id: 'document_id' in fault ? fault.document_id : null,
  same_as: 'same_as' in fault ? fault.same_as : null,
});
