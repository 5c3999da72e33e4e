import { isCivilDate } from '../../../src-shared/medical/civil-date.ts';
import { basename } from 'node:path';
import type { DocumentType } from '../../../src-shared/medical/document-type.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { DocumentDetails, ImportDetails, NewItem } from './repository.ts';
import { folderOf, readMember, type Source } from './source.ts';

/** A row as Django serializes it: `{"model": "documents.tag", "pk": 3, "fields": {…}}`. */
interface Entry {
  model: string;
  pk: number | string;
  fields: Record<string, unknown>;
  __exported_file_name__?: unknown;
  __exported_archive_name__?: unknown;
}
type Named = ReadonlyMap<unknown, string>;

/** The texts of all documents are in it. */
const MAX_MANIFEST_BYTES = 256 * 2 ** 20;
const MAX_DOCUMENTS = 100_000;
const MAX_TITLE = 200,
  MAX_NAME = 200,
  MAX_NOTES = 50_000,
  MAX_TAG = 100;

/**
 * Plans the documents of an export of paperless-ngx (`document_exporter`): as one manifest, or with a manifest beside
 * each document. @throws `import.manifest_invalid`
 */
export async function planPaperless(source: Source, dayOf: (instant: number) => string): Promise<NewItem[]> {
  let entries: Entry[] = [];
  let root: string | null = null;
  const splits: { folder: string; entries: Entry[] }[] = [];
  await source.read(async (member) => {
    const name = basename(member.name);
    if (name === 'manifest.json' && root === null && member.name.split('/').length <= 2) {
      root = folderOf(member.name);
      entries = await readEntries(member);
    } else if (name.endsWith('-manifest.json')) {
      splits.push({ folder: folderOf(member.name), entries: await readEntries(member) });
    }
    return true;
  });
  const base = root ?? '.';
  // Not as arguments: an export with notes and a history has more rows than a call may have.
  const all = [entries, ...splits.map((split) => split.entries)].flat();
  if (all.length > MAX_DOCUMENTS * 20) throw fail('import.manifest_invalid');
  return planEntries(all, base, dayOf);
}

async function readEntries(member: Parameters<typeof readMember>[0]): Promise<Entry[]> {
  const invalid = fail('import.manifest_invalid');
  const bytes = await readMember(member, MAX_MANIFEST_BYTES, invalid);
  let parsed: unknown;
  try {
    parsed = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw invalid;
  }
  if (!Array.isArray(parsed)) throw invalid;
  return parsed.filter(isEntry);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEntry = (value: unknown): value is Entry =>
  isObject(value) && typeof value['model'] === 'string' && isObject(value['fields']);

/** What the tables of the export say of each document. */
interface Tables {
  tags: Named;
  correspondents: Named;
  types: Named;
  notes: ReadonlyMap<unknown, Entry[]>;
  customFields: ReadonlyMap<unknown, Entry>;
  customValues: ReadonlyMap<unknown, Entry[]>;
}

function planEntries(entries: readonly Entry[], base: string, dayOf: (instant: number) => string): NewItem[] {
  const of = (model: string): Entry[] => entries.filter((entry) => entry.model === model);
  const named = (model: string): Named => new Map(of(model).map(({ pk, fields }) => [pk, textOf(fields['name'])]));
  const byDocument = (model: string) => Map.groupBy(of(model), ({ fields }) => fields['document']);
  const tables: Tables = {
    tags: named('documents.tag'),
    correspondents: named('documents.correspondent'),
    types: named('documents.documenttype'),
    notes: byDocument('documents.note'),
    customFields: new Map(of('documents.customfield').map((entry) => [entry.pk, entry])),
    customValues: byDocument('documents.customfieldinstance'),
  };
  const documents = of('documents.document');
  if (documents.length > MAX_DOCUMENTS) throw fail('import.manifest_invalid');
  const at = (name: unknown): string | null => {
    const path = textOf(name).replaceAll('\\', '/');
    return path === '' ? null : [...(base === '.' ? [] : [base]), path].join('/');
  };
  return documents.map((entry) => planDocument(entry, at, tables, dayOf));
}

function planDocument(
  entry: Entry,
  at: (name: unknown) => string | null,
  tables: Tables,
  dayOf: (instant: number) => string,
): NewItem {
  const member = at(entry.__exported_file_name__);
  const plan = { kind: 'file' as const, document_ids: [], result_ids: [] };
  const details = detailsOf(entry, at(entry.__exported_archive_name__), tables, dayOf);
  const name = member ?? details.filename ?? String(entry.pk);
  // An export of the data alone names no files.
  if (member === null) return { ...plan, member: name, details, status: 'refused', code: 'import.file_missing' };
  if (isReadable(entry.fields['mime_type'])) return { ...plan, member, details, status: 'unchecked' };
  // A letter of an office program would be taken for an archive of pictures.
  if (!details.archive) return { ...plan, member, details, status: 'refused', code: 'upload.unsupported_type' };
  return { ...plan, ...ofArchive(details, details.archive), status: 'unchecked' };
}

/** Whether Hearth reads files of this type; older exports don't say it. */
const isReadable = (mime: unknown): boolean =>
  typeof mime !== 'string' || mime === '' || mime === 'application/pdf' || mime.startsWith('image/');

/** The same document in the form that paperless-ngx archived, a PDF. */
export function ofArchive(
  { archive: _archive, checksum: _original, ...details }: ImportDetails,
  { member, checksum }: NonNullable<ImportDetails['archive']>,
): { member: string; details: ImportDetails } {
  const stem = details.filename?.replace(/\.[^.]*$/, '');
  return {
    member,
    details: {
      ...details,
      ...(stem !== undefined && { filename: `${stem}.pdf` }),
      ...(checksum !== undefined && { checksum }),
    },
  };
}

function detailsOf(entry: Entry, archive: string | null, tables: Tables, dayOf: (n: number) => string): ImportDetails {
  const { fields } = entry;
  const date = civilDateOf(fields['created'], dayOf);
  const checksum = checksumOf(fields['checksum']),
    archiveChecksum = checksumOf(fields['archive_checksum']);
  const filename = basename(textOf(fields['original_filename']).replaceAll('\\', '/'));
  const serial = fields['archive_serial_number'];
  const origin = ['paperless-ngx', ...(typeof serial === 'number' ? [`ASN ${serial}`] : [])].join(' · ');
  return {
    document: describe(entry, tables),
    origin,
    ...(filename !== '' && { filename }),
    ...(date !== null && { date }),
    ...(checksum !== null && { checksum }),
    ...(archive !== null && {
      archive: { member: archive, ...(archiveChecksum !== null && { checksum: archiveChecksum }) },
    }),
  };
}

function describe({ pk, fields }: Entry, tables: Tables): DocumentDetails {
  const title = textOf(fields['title']).slice(0, MAX_TITLE);
  const typeName = tables.types.get(fields['document_type']) ?? '';
  const type = TYPE_OF_NAME.get(fold(typeName));
  const tags = (Array.isArray(fields['tags']) ? fields['tags'] : [])
    .map((tag) => tables.tags.get(tag) ?? '')
    .concat(type === undefined ? [typeName] : [])
    .map((tag) => tag.replaceAll(',', ' ').trim().slice(0, MAX_TAG))
    .filter((tag) => tag !== '');
  const correspondent = (tables.correspondents.get(fields['correspondent']) ?? '').slice(0, MAX_NAME);
  const notes = [...notesOf(tables.notes.get(pk) ?? []), ...customOf(tables, pk)].join('\n').slice(0, MAX_NOTES);
  return {
    ...(title !== '' && { title }),
    ...(type !== undefined && { doc_type: type }),
    ...(tags.length > 0 && { tags: [...new Set(tags)] }),
    ...(correspondent !== '' && { [isDoctor(correspondent) ? 'doctor_name' : 'facility_name']: correspondent }),
    ...(notes !== '' && { user_notes: notes }),
  };
}

const notesOf = (notes: readonly Entry[]): string[] =>
  notes
    .map(({ fields }) => ({ at: textOf(fields['created']).slice(0, 10), note: textOf(fields['note']) }))
    .filter(({ note }) => note !== '')
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ at, note }) => (at === '' ? note : `${at}: ${note}`));

/** Custom fields as lines: `Insurance number: 123`. */
const customOf = ({ customFields, customValues }: Tables, document: unknown): string[] =>
  (customValues.get(document) ?? []).flatMap(({ fields }) => {
    const field = customFields.get(fields['field']);
    const name = textOf(field?.fields['name']);
    const value = Object.entries(fields)
      .filter(([key, part]) => key.startsWith('value') && part !== null && part !== '')
      .map(([key, part]) => (key === 'value_select' ? optionOf(field, part) : toText(part)))[0];
    return name === '' || value === undefined ? [] : [`${name}: ${value}`];
  });

/** The label of a selected option: by its id, or in older exports by its position. */
function optionOf(field: Entry | undefined, selected: unknown): string {
  const extra = field?.fields['extra_data'];
  const options: unknown = isObject(extra) ? extra['select_options'] : null;
  if (!Array.isArray(options)) return toText(selected);
  const option: unknown =
    options.find((one) => isObject(one) && one['id'] === selected) ??
    (typeof selected === 'number' ? options[selected] : undefined);
  return toText(isObject(option) ? option['label'] : (option ?? selected));
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
/** Text without control characters, which no field takes. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Cs}/gu, '').trim()
    : '';
const isDoctor = (name: string): boolean => /^(?:(?:dr|prof|pd|dott|dottssa|docteur|doktor)\b)/i.test(name);
const checksumOf = (value: unknown): string | null =>
  typeof value === 'string' && /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/i.test(value) ? value.toLowerCase() : null;

/** `created` is a day, or in older versions midnight where paperless-ngx ran. */
function civilDateOf(value: unknown, dayOf: (instant: number) => string): string | null {
  const text = textOf(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return isCivilDate(text) ? text : null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : dayOf(instant);
}

const fold = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();

/** Names that people give to types of documents; other ones become tags. */
const NAMES_OF_TYPES: Readonly<Record<Exclude<DocumentType, 'other'>, string>> = {
  invoice: 'invoice bill rechnung facture fattura',
  prescription: 'prescription rezept ordonnance ricetta',
  lab_test: 'lab_test laboratory laborbefund blutwerte bloodtest analyses',
  discharge: 'discharge entlassungsbrief entlassbrief',
  vaccination: 'vaccination impfung impfpass vaccin vaccinazione',
  medical_certificate: 'krankschreibung attest certificat certificato sicknote',
  imaging_report: 'radiologie radiology rontgenbefund',
  surgical_report: 'operationsbericht opbericht',
  specialist_report: 'arztbrief befund arztbericht',
};
/** The types by these names, folded. */
const TYPE_OF_NAME: ReadonlyMap<string, DocumentType> = new Map(
  (Object.entries(NAMES_OF_TYPES) as [DocumentType, string][]).flatMap(([type, names]) =>
    names.split(' ').map((name): [string, DocumentType] => [fold(name), type]),
  ),
);
