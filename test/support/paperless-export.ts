import { createHash } from 'node:crypto';
import { zip } from './broken-files.ts';
import { letter } from './sample-documents.ts';

const letterOf = async (text: string): Promise<Buffer> => Buffer.from(await letter([[{ text, y: 60 }]]));
const OFFICE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** An export of paperless-ngx, as `document_exporter` writes it. */
export async function paperlessExport(isSplit: boolean) {
  const original = await letterOf(`paperless ${isSplit}`),
    archived = await letterOf(`archived ${isSplit}`),
    repaired = await letterOf(`repaired ${isSplit}`),
    changed = await letterOf(`changed ${isSplit}`);
  const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
  const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const document = (pk: number, file: string, fields: object, names: object = {}) => ({
    model: 'documents.document',
    pk,
    fields: { title: '', created: '2023-05-04', tags: [], correspondent: null, document_type: null, ...fields },
    __exported_file_name__: file,
    ...names,
  });
  const tables = [
    { model: 'documents.correspondent', pk: 1, fields: { name: 'Dr. Anna Frisch' } },
    { model: 'documents.tag', pk: 1, fields: { name: 'Blood, urgent' } },
    { model: 'documents.tag', pk: 2, fields: { name: 'Family' } },
    { model: 'documents.documenttype', pk: 1, fields: { name: 'Laborbefund' } },
    { model: 'documents.documenttype', pk: 2, fields: { name: 'Garantie' } },
    { model: 'documents.customfield', pk: 7, fields: { name: 'Case', data_type: 'string', extra_data: null } },
    { model: 'auth.user', pk: 1, fields: { username: 'ann' } },
  ];
  const first = document(
    10,
    'a/original.pdf',
    {
      ...{ title: 'Blood test', tags: [1, 2], correspondent: 1, document_type: 1, archive_serial_number: 42 },
      ...{ checksum: md5(original), original_filename: 'scan_0001.pdf', created: '2023-05-04T10:00:00Z' },
    },
    { __exported_thumbnail_name__: 'a/original.pdf-thumbnail.webp' },
  );
  const second = document(
    11,
    'letter.docx',
    { document_type: 2, original_filename: 'letter.docx', mime_type: OFFICE, archive_checksum: sha256(archived) },
    { __exported_archive_name__: 'letter.docx-archive.pdf' },
  );
  const third = document(12, 'changed.pdf', { checksum: md5(original) });
  const fourth = document(13, 'gone.pdf', {});
  const fifth = document(
    14,
    'scan.pdf',
    { mime_type: 'application/pdf', original_filename: 'scan.pdf' },
    { __exported_archive_name__: 'scan.pdf-archive.pdf' },
  );
  const ofFirst = [
    { model: 'documents.note', pk: 1, fields: { document: 10, note: 'ask again', created: '2023-06-01T08:00:00Z' } },
    { model: 'documents.customfieldinstance', pk: 1, fields: { document: 10, field: 7, value_text: 'A-1' } },
  ];
  const files = {
    'a/original.pdf': original,
    'a/original.pdf-thumbnail.webp': 'RIFF',
    'letter.docx': zip([{ name: 'word/media/image1.png', content: Buffer.from('picture') }]),
    'letter.docx-archive.pdf': archived,
    'changed.pdf': changed,
    'scan.pdf': '%PDF-1.4 damaged',
    'scan.pdf-archive.pdf': repaired,
    'metadata.json': '{"version": "2.20.0"}',
  };
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  if (!isSplit)
    return { ...files, 'manifest.json': json([...tables, first, second, third, fourth, fifth, ...ofFirst]) };
  return {
    ...files,
    'manifest.json': json(tables),
    'a/original.pdf-manifest.json': json([first, ...ofFirst]),
    'letter.docx-manifest.json': json([second]),
    'changed.pdf-manifest.json': json([third]),
    'gone.pdf-manifest.json': json([fourth]),
    'scan.pdf-manifest.json': json([fifth]),
  };
}
