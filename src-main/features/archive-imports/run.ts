import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { Readable, Transform } from 'node:stream';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import { toTimestamp } from '../../platform/kernel/clock.ts';
import { fail, Failure } from '../../platform/kernel/errors.ts';
import type { DiscFile, ImportOptions, ImportOutcome } from '../documents/service.ts';
import { isBelow, planFolder } from './folder-plan.ts';
import { planHealth, readClinicalFile } from './health-plan.ts';
import { ofArchive, planPaperless } from './paperless-plan.ts';
import type { RunDeps, Watch } from './ports.ts';
import type { ImportRow, ItemRow, NewItem } from './repository.ts';
import { openSource, type Member, type Source } from './source.ts';
import { storeMeasurements } from './store-health.ts';

/** Opens a folder or an archive as a source of files. */
export const openImport = ({ documents, isFinishedName, root }: RunDeps, path: string): Promise<Source> =>
  openSource(path, { readArchive: documents.readArchive, isFinishedName, root });

/** Codes of a file that another form of the same document can replace. */
const REPLACEABLE: ReadonlySet<string> = new Set([
  'import.file_missing',
  'upload.unsupported_type',
  'upload.damaged',
  'upload.encrypted',
  'upload.empty',
]);

/** Looks through the source: plans its items, and checks each file without storing it. */
export async function scan(deps: RunDeps, row: ImportRow, watch: Watch): Promise<void> {
  const { repository } = deps;
  const source = await openImport(deps, row.source);
  if (repository.page(row.id, { limit: 1, offset: 0 }).total === 0) {
    const items = await plan(deps, source, watch.signal);
    if (!items.some(({ status }) => status !== 'left_out')) throw fail('import.nothing_found');
    repository.addItems(row.id, items);
  }
  await checkFiles(deps, row, source, watch);
  for (const item of repository.items(row.id, ['unchecked']))
    if (item.kind === 'disc') repository.setItem(item.id, { status: 'waiting' });
    else refuse(deps, item, fail('import.file_missing'));
  await checkArchives(deps, row, source, watch);
}

function plan({ dayOf }: RunDeps, source: Source, signal: AbortSignal): Promise<NewItem[]> {
  if (source.kind === 'paperless') return planPaperless(source, dayOf);
  return source.kind === 'apple_health' ? planHealth(source, signal) : planFolder(source);
}

async function checkFiles(deps: RunDeps, row: ImportRow, source: Source, { signal }: Watch): Promise<void> {
  const items = deps.repository.items(row.id, ['unchecked']).filter(({ kind }) => kind !== 'disc');
  await eachMember(source, items, signal, async (item, member) => {
    if (item.kind === 'clinical') return checkClinical(deps, item, member);
    await settle(deps, item, async () => {
      const { status, documentIds } = await preview(deps, row, item, member);
      deps.repository.setItem(item.id, { status, document_ids: documentIds, count: 1 });
    });
  });
}

const checkClinical = (deps: RunDeps, item: ItemRow, member: Member): Promise<void> =>
  settle(deps, item, async () => {
    const { values, papers } = await readClinicalFile(member);
    const count = values.length + papers.length;
    if (count > 0) deps.repository.setItem(item.id, { status: 'waiting', count });
    else deps.repository.setItem(item.id, { status: 'left_out', code: 'import.no_place', count: 1 });
  });

/** Originals that can't be read are replaced by the form that the other program archived. */
async function checkArchives(deps: RunDeps, row: ImportRow, source: Source, { signal }: Watch): Promise<void> {
  const items = deps.repository
    .items(row.id, ['refused'])
    .filter(({ details, code }) => details.archive && REPLACEABLE.has(code ?? ''))
    .flatMap((item) => (item.details.archive ? [{ ...item, ...ofArchive(item.details, item.details.archive) }] : []));
  await eachMember(source, items, signal, (item, member) =>
    settle(deps, item, async () => {
      const { status, documentIds } = await preview(deps, row, item, member);
      const { member: name, details } = item;
      const found = { status, document_ids: documentIds, member: name, details };
      deps.repository.setItem(item.id, { ...found, count: 1, code: null, params: null });
    }),
  );
}

async function preview(deps: RunDeps, row: ImportRow, item: ItemRow, member: Member) {
  const content = await openChecked(member, item.details.checksum);
  return deps.documents.previewFile(content, fileNameOf(item), deps.rightsOf(row));
}

/** Calls `work` for the members that items name, in the order of the source. */
async function eachMember(
  source: Source,
  items: readonly ItemRow[],
  signal: AbortSignal,
  work: (item: ItemRow, member: Member) => Promise<void>,
): Promise<void> {
  const byMember = Map.groupBy(items, ({ member }) => member);
  if (byMember.size === 0) return;
  await source.read(async (member) => {
    signal.throwIfAborted();
    for (const item of byMember.get(member.name) ?? []) {
      await work(item, member);
      signal.throwIfAborted();
    }
    byMember.delete(member.name);
    return byMember.size > 0;
  });
}

/** Stores what waits. Each item is stored in one transaction with its outcome, so that it is stored once. */
export async function store(deps: RunDeps, row: ImportRow, watch: Watch): Promise<void> {
  const source = await openImport(deps, row.source);
  const items = deps.repository.items(row.id, ['waiting']);
  const of = (kind: ItemRow['kind']): ItemRow[] => items.filter((item) => item.kind === kind);
  for (const disc of of('disc')) {
    watch.signal.throwIfAborted();
    await storeDisc(deps, row, source, disc, watch);
  }
  const files = items.filter(({ kind }) => kind === 'file' || kind === 'clinical');
  await eachMember(source, files, watch.signal, (item, member) =>
    item.kind === 'clinical'
      ? settle(deps, item, () => storeClinical(deps, row, item, member))
      : storeFile(deps, row, item, member, watch),
  );
  for (const item of deps.repository.items(row.id, ['waiting']))
    if (item.kind !== 'measurements') refuse(deps, item, fail('import.file_missing'));
  await storeMeasurements(deps, row, source, of('measurements'), watch.signal);
}

function storeFile(deps: RunDeps, row: ImportRow, item: ItemRow, member: Member, { onItem }: Watch): Promise<void> {
  const said = (message: string) => onItem?.({ member: item.member, message });
  return settle(
    deps,
    item,
    async () => {
      const content = await openChecked(member, item.details.checksum);
      const options = optionsFor(deps, row, item, (found) => said(` holds ${found}.`));
      said(`: ${(await deps.documents.importFile(content, fileNameOf(item), options)).message}`);
    },
    (failure) => said(`: ${failure.detail}`),
  );
}

function storeDisc(deps: RunDeps, row: ImportRow, source: Source, item: ItemRow, { onItem }: Watch): Promise<void> {
  const said = (message: string) => onItem?.({ member: item.member, message });
  return settle(
    deps,
    item,
    async () => {
      const files: DiscFile[] = [];
      await source.read(async ({ name, open }) => {
        if (isBelow(name, item.member))
          files.push({ name: item.member === '.' ? name : name.slice(item.member.length + 1), open });
        return true;
      });
      const options = optionsFor(deps, row, item, (found) => said(` holds ${found}.`));
      const name = item.member === '.' ? source.name : basename(item.member);
      said(`: ${(await deps.documents.importDisc(files, name, options)).message}`);
    },
    (failure) => said(`: ${failure.detail}`),
  );
}

/** The values and papers of a clinical record. */
async function storeClinical(deps: RunDeps, row: ImportRow, item: ItemRow, member: Member): Promise<void> {
  const { repository, transaction, addMeasurements, documents } = deps;
  const { values, papers } = await readClinicalFile(member);
  const source = `${item.details.origin ?? 'Clinical record'} (Apple Health)`;
  const kept = { document_ids: [...item.document_ids], result_ids: [...item.result_ids] };
  for (const { name, date, bytes } of papers) {
    const details = { origin: source, ...(date !== null && { date }) };
    const options = optionsFor(deps, row, { ...item, details }, undefined, (outcome) => {
      if (outcome.status === 'stored') kept.document_ids.push(...outcome.documentIds);
      repository.setItem(item.id, kept);
    });
    await documents.importFile(Readable.from([bytes]), name, options);
  }
  transaction(() => {
    const added = addMeasurements(
      row.patient_id,
      values.map((value) => ({ ...value, source })),
      'each',
    );
    kept.result_ids.push(...added.ids);
    const isNew = kept.document_ids.length + kept.result_ids.length > 0;
    repository.setItem(item.id, { ...kept, status: isNew ? 'stored' : 'known' });
  });
}

function optionsFor(
  { repository, clock, rightsOf }: RunDeps,
  row: ImportRow,
  item: ItemRow,
  onFound?: (found: string) => void,
  follow: (outcome: ImportOutcome) => void = ({ status, documentIds }) =>
    repository.setItem(item.id, { status, document_ids: documentIds }),
): ImportOptions {
  const { origin, date, document } = item.details;
  const since = item.started_at ?? undefined;
  if (since === undefined) repository.setItem(item.id, { started_at: toTimestamp(clock.now()) });
  return {
    destination: {
      ...{ patientId: row.patient_id, eventId: null, uploaderId: row.user_id },
      ...(origin !== undefined && { origin }),
      ...(date !== undefined && { originalDate: date }),
    },
    rights: rightsOf(row),
    details: document,
    ...{ since, onFound, follow },
  };
}

/** Remembers why an item can't be stored. An error that concerns everything, such as a full disk, ends the import. */
async function settle(
  deps: RunDeps,
  item: ItemRow,
  work: () => Promise<void>,
  onRefused?: (failure: Failure) => void,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    refuse(deps, item, error);
    onRefused?.(error);
  }
}

const refuse = ({ repository }: RunDeps, item: ItemRow, { code, params }: Failure): void =>
  repository.setItem(item.id, {
    ...{ status: 'refused', code },
    params: Object.keys(params).length === 0 ? null : (params as Record<string, string | number>),
  });

/** The name that a document gets, with the extension by which its type is checked. */
const fileNameOf = ({ member, details }: ItemRow): string => details.filename ?? basename(member);

/** Opens a member, whose stream fails at its end if its checksum is not the expected one. */
async function openChecked({ open }: Member, expected: string | undefined): Promise<Readable> {
  const stream = await open();
  if (expected === undefined) return stream;
  const hash = createHash(expected.length === 32 ? 'md5' : 'sha256');
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush: (done) => done(hash.digest('hex') === expected ? null : fail('import.file_changed')),
  });
  stream.once('error', (error) => check.destroy(error));
  check.once('close', () => stream.destroy());
  return stream.pipe(check);
}

interface UndoDeps extends RunDeps {
  removeMeasurements(ids: readonly number[]): void;
  belonging(documentId: number): { patientId: number | null } | undefined;
}

/**
 * Undoes an import: documents go to the trash, values that nobody changed are removed. A document that was moved to the
 * record of another patient since then stays: the import, and who undoes it, have no right to that record.
 */
export async function undo(
  { repository, documents, removeMeasurements, belonging }: UndoDeps,
  row: ImportRow,
  { signal }: Watch,
): Promise<void> {
  for (const item of repository.items(row.id, ['stored']).toReversed()) {
    signal.throwIfAborted();
    for (const id of item.document_ids)
      if (belonging(id)?.patientId === row.patient_id) documents.remove(id, row.user_id);
    removeMeasurements(item.result_ids);
    repository.setItem(item.id, { status: 'undone', document_ids: [], result_ids: [] });
    await new Promise(setImmediate);
  }
}

/** The code under which a failed import is remembered. */
export const codeOf = (error: unknown): ErrorCode => (error instanceof Failure ? error.code : 'server.internal_error');
