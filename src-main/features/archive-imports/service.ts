import { isAbsolute } from 'node:path';
import { realpath } from 'node:fs/promises';
import Papa from 'papaparse';
import type { ArchiveImport, ImportItem } from '../../../src-shared/contract/archive-imports.ts';
import { IMPORT_ITEM_STATUSES } from '../../../src-shared/contract/import-kinds.ts';
import { ERRORS, type ErrorCode } from '../../../src-shared/contract/errors.ts';
import { fillIn } from '../../../src-shared/contract/error-text.ts';
import { guardFormulas } from '../../../src-shared/contract/csv-formulas.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { BytesReply } from '../../platform/http/bytes.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp } from '../../platform/kernel/clock.ts';
import { fail, translateFsError } from '../../platform/kernel/errors.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { SenderRights } from '../documents/service.ts';
import { createImportRepository, type ImportRow, type ItemRow, type ItemStatus } from './repository.ts';
import { codeOf, openImport, scan, store, undo } from './run.ts';
import type { OnItem, RunDeps } from './ports.ts';
import { isWithin, throwUnreadable } from './source.ts';

export interface ArchiveImportDeps extends Omit<RunDeps, 'repository' | 'rightsOf'> {
  db: Database;
  access: AccessRules;
  log: Log;
  /** Patient and uploader of a document. */
  belonging(documentId: number): { patientId: number | null; uploaderId: number | null } | undefined;
  removeMeasurements(ids: readonly number[]): void;
}

interface Deps extends ArchiveImportDeps, RunDeps {
  runner: Runner;
}

/** What works through imports, one after the other. */
interface Runner {
  queue: Promise<void>;
  current: { id: number; stop: AbortController } | null;
  isClosing: boolean;
  listeners: Map<number, OnItem>;
}

export type ArchiveImports = ReturnType<typeof createArchiveImports>;

/** Imports of existing archives: a preview, a run that survives restarts, a report, and undo. */
export function createArchiveImports(dependencies: ArchiveImportDeps) {
  const deps: Deps = {
    ...dependencies,
    repository: createImportRepository(dependencies.db),
    rightsOf: (row) => rightsOf(dependencies.access, row),
    runner: { queue: Promise.resolve(), current: null, isClosing: false, listeners: new Map() },
  };
  return bindFirst(deps, {
    list,
    begin,
    get,
    items,
    report,
    run,
    stop,
    undo: undoImport,
    remove,
    isRunning: ({ repository }: Deps) => repository.withStatus(UNFINISHED).length > 0,
    runForOwner,
    start,
    close,
  });
}

/** What the next start goes on with. */
const UNFINISHED: Parameters<Deps['repository']['withStatus']>[0] = ['scanning', 'running', 'undoing'];

const now = ({ clock }: Deps): string => toTimestamp(clock.now());

/** What the user of an import may know; what was deleted is never restored by it. The command line knows everything. */
function rightsOf(access: AccessRules, { user_id: userId }: ImportRow): SenderRights {
  if (userId === null) return { mayKnow: () => true, mayRestore: () => false };
  return {
    mayKnow: (patientId, uploaderId) =>
      patientId === null ? uploaderId === userId : access.visiblePatients(userId).includes(patientId),
    mayRestore: ({ livingPatientId }) =>
      livingPatientId !== null && access.ownedPatients(userId).includes(livingPatientId),
  };
}

function list({ access, repository, ...deps }: Deps, user: UserCaller): { items: ArchiveImport[] } {
  const rows = repository.ofPatients(access.ownedPatients(user.userId));
  return { items: rows.map((row) => wireOf({ ...deps, access, repository }, row)) };
}

async function begin(
  deps: Deps,
  { path, patient_id }: { path: string; patient_id: number },
  user: UserCaller,
): Promise<ArchiveImport> {
  deps.access.requirePatient(user, patient_id, 'write');
  return wireOf(deps, await createImport(deps, path, patient_id, user.userId));
}

/** Recognizes the source, which must be outside of the vault, and begins to look through it. */
async function createImport(deps: Deps, path: string, patientId: number, userId: number | null): Promise<ImportRow> {
  const { root, repository } = deps;
  if (!isAbsolute(path)) throw fail('import.path_invalid');
  const real = await realpath(path).catch(throwUnreadable);
  if (isWithin(real, await realpath(root))) throw fail('import.source_inside');
  const { kind } = await openImport(deps, real);
  const row = repository.insert({
    ...{ kind, source: real, patient_id: patientId, user_id: userId },
    status: 'scanning',
    created_at: now(deps),
  });
  enqueue(deps, row.id);
  return row;
}

const get = (deps: Deps, id: number, user: UserCaller): ArchiveImport => wireOf(deps, requireImport(deps, id, user));

/** An import into a record that the user may not change does not exist for them. @throws `import.not_found` */
function requireImport({ repository, access }: Deps, id: number, user: UserCaller): ImportRow {
  const row = repository.get(id);
  if (!row || !access.may(user, 'write', { patientId: row.patient_id, uploaderId: null }))
    throw fail('import.not_found');
  return row;
}

function wireOf({ repository }: Deps, row: ImportRow): ArchiveImport {
  const { user_id: _user, ...rest } = row;
  return { ...rest, counts: countsOf(repository.counts(row.id)), values: repository.values(row.id) };
}

const countsOf = (counts: Partial<Record<ItemStatus, number>>): ArchiveImport['counts'] =>
  Object.fromEntries(IMPORT_ITEM_STATUSES.map((status) => [status, counts[status] ?? 0])) as ArchiveImport['counts'];

function items(
  deps: Deps,
  id: number,
  query: { status?: ItemStatus | undefined; limit: number; offset: number },
  user: UserCaller,
): { items: ImportItem[]; total: number } {
  requireImport(deps, id, user);
  const page = deps.repository.page(id, query);
  return { total: page.total, items: page.items.map((item) => itemOf(deps, item, user)) };
}

function itemOf({ access, belonging }: Deps, item: ItemRow, user: UserCaller): ImportItem {
  const { id, member, kind, status, params, count } = item;
  const documentId = item.document_ids[0];
  const owner = documentId === undefined ? undefined : belonging(documentId);
  const isVisible = owner !== undefined && access.may(user, 'read', owner);
  return {
    ...{ id, name: member, kind, status, count },
    code: item.code as ErrorCode | null,
    ...(params && { params }),
    document_id: isVisible ? (documentId ?? null) : null,
  };
}

const REPORT_SLICE = 500;

/** What became of each item, as CSV that spreadsheet programs open; texts that look like formulas are quoted. */
function report(deps: Deps, id: number, user: UserCaller): BytesReply {
  const row = requireImport(deps, id, user);
  return {
    kind: 'streamed',
    type: 'text/csv; charset=utf-8',
    filename: `import-${row.created_at.slice(0, 10)}-${id}.csv`,
    open: async () => writeReport(deps, id),
    isAllowed: () => deps.access.may(user, 'write', { patientId: row.patient_id, uploaderId: null }),
  };
}

async function* writeReport({ repository }: Deps, id: number): AsyncGenerator<Uint8Array> {
  const encode = (rows: (string | number)[][]): Buffer =>
    Buffer.from(`${Papa.unparse(rows.map(guarded), { newline: '\r\n' })}\r\n`);
  yield encode([['item', 'kind', 'outcome', 'reason', 'count', 'documents']]);
  for (let offset = 0; ; offset += REPORT_SLICE) {
    const { items: page } = repository.page(id, { limit: REPORT_SLICE, offset });
    if (page.length === 0) return;
    yield encode(page.map((item) => reportLine(item)));
  }
}

const guarded = (cells: readonly (string | number)[]): (string | number)[] =>
  cells.map((cell) => (typeof cell === 'string' ? guardFormulas(cell) : cell));

function reportLine({ member, kind, status, code, params, count, document_ids }: ItemRow): (string | number)[] {
  const reason = code === null ? '' : fillIn(ERRORS[code as ErrorCode].detail, params ?? {});
  return [member, kind, status, reason, count, document_ids.join(' ')];
}

/** @throws `import.not_ready` unless the import is in one of these states */
function requireStatus(row: ImportRow, ...statuses: ImportRow['status'][]): void {
  if (!statuses.includes(row.status)) throw fail('import.not_ready');
}

function run(deps: Deps, id: number, user: UserCaller): ArchiveImport {
  const row = requireImport(deps, id, user);
  requireStatus(row, 'ready', 'stopped', 'failed');
  resume(deps, row);
  return get(deps, id, user);
}

/** Goes on where an import was: an unfinished preview is completed first. */
function resume(deps: Deps, { id }: ImportRow): void {
  const { total } = deps.repository.page(id, { limit: 1, offset: 0 });
  const isScanned = total > 0 && (deps.repository.counts(id).unchecked ?? 0) === 0;
  deps.repository.set(id, { status: isScanned ? 'running' : 'scanning', error_code: null, finished_at: null });
  enqueue(deps, id);
}

function stop(deps: Deps, id: number, user: UserCaller): ArchiveImport {
  const row = requireImport(deps, id, user);
  if (row.status === 'scanning' || row.status === 'running') deps.repository.set(id, { status: 'stopped' });
  if (deps.runner.current?.id === id && row.status !== 'undoing') deps.runner.current.stop.abort();
  return get(deps, id, user);
}

function undoImport(deps: Deps, id: number, user: UserCaller): ArchiveImport {
  const row = requireImport(deps, id, user);
  requireStatus(row, 'done', 'stopped', 'failed');
  // Whoever undoes it finds the documents in the trash.
  deps.repository.set(id, { status: 'undoing', user_id: user.userId });
  enqueue(deps, id);
  return get(deps, id, user);
}

function remove(deps: Deps, id: number, user: UserCaller): { ok: true } {
  const row = requireImport(deps, id, user);
  requireStatus(row, 'ready', 'stopped', 'done', 'failed', 'undone');
  deps.repository.remove(id);
  return { ok: true };
}

const TASKS = { scanning: scan, running: store, undoing: undo } as const;
const AFTER = { scanning: 'ready', running: 'done', undoing: 'undone' } as const;

/** Works on an import after those before it. */
function enqueue(deps: Deps, id: number): void {
  const { runner, log } = deps;
  runner.queue = runner.queue
    .then(() => work(deps, id))
    .catch((err: unknown) => log.error({ err }, 'an import could not be worked on'));
}

async function work(deps: Deps, id: number): Promise<void> {
  const { runner, repository, access, log } = deps;
  const row = repository.get(id);
  if (runner.isClosing || !row || !(row.status in TASKS)) return;
  const { user_id: userId, patient_id: patientId } = row;
  // The user may have lost the record while the program was off.
  if (userId !== null && !access.ownedPatients(userId).includes(patientId))
    return repository.set(id, { status: 'stopped' });
  const status = row.status as keyof typeof TASKS;
  const stopping = new AbortController();
  runner.current = { id, stop: stopping };
  try {
    const onItem = runner.listeners.get(id);
    await TASKS[status](deps, row, { signal: stopping.signal, onItem });
    // Somebody may have stopped it after its last item.
    if (repository.get(id)?.status === status)
      repository.set(id, { status: AFTER[status], ...(status !== 'scanning' && { finished_at: now(deps) }) });
  } catch (raw) {
    if (stopping.signal.aborted) return;
    const error = translateFsError(raw);
    log.error(
      { code: codeOf(error), ...(codeOf(error) === 'server.internal_error' && { err: error }) },
      'an import failed',
    );
    repository.set(id, { status: 'failed', error_code: codeOf(error) });
  } finally {
    runner.current = null;
  }
}

/** What the command line learns of its import. */
export interface OwnerRun {
  preview: ArchiveImport;
  /** Stores what the preview found. */
  store(onItem: OnItem): Promise<{ outcome: ArchiveImport; report: AsyncIterable<Uint8Array> }>;
  /** Forgets the preview. */
  forget(): void;
}

/** Imports for the owner of the vault, who uses the command line; goes on with an import that was interrupted. */
async function runForOwner(deps: Deps, path: string, patientId: number): Promise<OwnerRun> {
  const { repository, runner } = deps;
  const source = await realpath(path).catch(throwUnreadable);
  const before = repository.unfinished(source, patientId);
  const row = before ?? (await createImport(deps, source, patientId, null));
  if (before?.status === 'stopped') resume(deps, before);
  const settled = async (): Promise<ArchiveImport> => {
    await runner.queue;
    const current = repository.get(row.id) ?? row;
    if (current.status === 'failed') throw fail((current.error_code ?? 'server.internal_error') as 'import.not_found');
    return wireOf(deps, current);
  };
  return {
    preview: await settled(),
    async store(onItem) {
      runner.listeners.set(row.id, onItem);
      const current = repository.get(row.id);
      if (current?.status === 'ready') resume(deps, current);
      const outcome = await settled();
      runner.listeners.delete(row.id);
      return { outcome, report: writeReport(deps, row.id) };
    },
    forget: () => repository.remove(row.id),
  };
}

/** Called at startup: goes on with imports that were interrupted. */
function start(deps: Deps): void {
  for (const { id } of deps.repository.withStatus(UNFINISHED)) enqueue(deps, id);
}

/** Called at shutdown: the next start goes on. */
async function close({ runner }: Deps): Promise<void> {
  runner.isClosing = true;
  runner.current?.stop.abort();
  await runner.queue;
}
