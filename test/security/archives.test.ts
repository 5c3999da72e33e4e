import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zip, type ZipEntry } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

let served: Served, person: Client, report: Buffer;
beforeAll(async () => {
  served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  person = new Client(served.url);
  await person.setup();
  await person.post('/api/pipeline/stop');
  report = Buffer.from(await labReport());
});
afterAll(() => served.remove());

let variants = 0;
/** An honest document that is not in the vault yet. */
const honest = (name: string): ZipEntry => {
  variants += 1;
  return { name, content: Buffer.concat([report, Buffer.from(`\n% ${variants}\n`)]) };
};
const upload = (entries: ZipEntry[]) => person.upload(zip(entries), 'archive.zip');
const stored = async (): Promise<number> => (await person.get('/api/documents?limit=1')).body.total;
const skippedCodes = ({ body }: Awaited<ReturnType<typeof upload>>): Record<string, string> =>
  Object.fromEntries(
    (body as { skipped: { filename: string; code: string }[] }).skipped.map(({ filename, code }) => [filename, code]),
  );

const LINK = 0o120777 * 65536;
const dicom = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), Buffer.alloc(2000)]);

describe('an archive with one bad member', () => {
  it.each<[string, () => ZipEntry, string]>([
    ['that climbs out', () => ({ ...honest('../../out.pdf') }), 'archive.unsafe_member'],
    ['with an absolute path', () => honest('/root/out.pdf'), 'archive.unsafe_member'],
    ['on a drive', () => honest('D:\\out.pdf'), 'archive.unsafe_member'],
    [
      'that is a link',
      () => ({ name: 'out.pdf', content: Buffer.from('/etc/passwd'), attributes: LINK }),
      'archive.unsafe_member',
    ],
    ['with a NUL in its name', () => honest('out.pdf\u0000.txt'), 'archive.unsafe_member'],
    ['with a password', () => ({ ...honest('out.pdf'), flags: 1 }), 'upload.encrypted'],
    ['with a wrong checksum', () => ({ ...honest('out.pdf'), crc: 1 }), 'upload.damaged'],
    ['with a wrong size', () => ({ ...honest('out.pdf'), claimed: 10 }), 'upload.damaged'],
    ['of an unknown method', () => ({ ...honest('out.pdf'), method: 99 }), 'upload.damaged'],
    ['cut short', () => ({ name: 'out.pdf', content: report.subarray(0, 300) }), 'upload.damaged'],
    ['that is empty', () => ({ name: 'out.pdf', content: Buffer.alloc(0) }), 'upload.empty'],
    ['that is damaged DICOM', () => ({ name: 'out.pdf', content: dicom }), 'upload.damaged'],
    ['that is an archive', () => ({ name: 'out.pdf', content: zip([honest('a.pdf')]) }), 'upload.unsupported_type'],
    ['that is a text', () => ({ name: 'out.pdf', content: Buffer.from('words') }), 'upload.unsupported_type'],
    ['of another type', () => ({ ...honest('out.png') }), 'upload.type_mismatch'],
  ])('%s brings in the others and says why it was left out', async (_name, bad, code) => {
    const before = await stored();
    const answer = await upload([honest('first.pdf'), bad(), honest('last.pdf')]);
    expect([answer.status, answer.body.extracted]).toEqual([201, 2]);
    expect(Object.entries(skippedCodes(answer))).toEqual([[expect.stringContaining('out.p'), code]]);
    expect(answer.body.dicom + answer.body.other).toBe(1);
    expect(await stored()).toBe(before + 2);
  });

  it('takes names with backslashes, as some programs for Windows write them', async () => {
    expect((await upload([honest('letters\\2024\\letter.pdf')])).body).toMatchObject({
      extracted: 1,
      documents: [{ filename: 'letter.pdf' }],
    });
  });
});

describe('an archive that costs much and holds little', () => {
  it('is refused when its members share bytes', async () => {
    const before = await stored();
    const shared = Array.from({ length: 50 }, (_, n) => ({ ...honest(`${n}.pdf`), sameAs: 0 }));
    const { status, body } = await upload([honest('first.pdf'), ...shared]);
    expect([status, body.code, await stored()]).toEqual([400, 'archive.damaged', before]);
  });

  it('is left after too many members like documents; those before are stored, the rest is reported', LONG, async () => {
    const broken = Array.from({ length: 1000 }, (_, n) => ({
      name: `broken-${n}.pdf`,
      content: Buffer.from(`%PDF-1.4\n${n}${'\0'.repeat(2000)}`),
    }));
    const answer = await upload([honest('first.pdf'), ...broken, honest('last.pdf')]);
    expect(answer.body).toMatchObject({ extracted: 1, other: 1001 });
    const codes = Object.values(skippedCodes(answer));
    expect([codes[0], codes.at(-1)]).toEqual(['upload.damaged', 'archive.gave_up']);
    const { body } = await upload(broken);
    expect(body.code).toBe('archive.gave_up');
  });

  it('is read to its end when the other files are seen to be of other types', LONG, async () => {
    const texts = Array.from({ length: 3000 }, (_, n) => ({ name: `${n}.txt`, content: Buffer.from(`text ${n}`) }));
    expect((await upload([...texts, honest('last.pdf')])).body).toMatchObject({ extracted: 1, other: 3000 });
  });

  it('is refused when its directory is larger than that of any honest one', async () => {
    const names = Array.from({ length: 520 }, (_, n) => `${n}${'x'.repeat(65_000)}.pdf`);
    const entries = names.map((name) => ({ name, localName: 'x', content: Buffer.from('x') }));
    expect(await upload(entries)).toMatchObject({ status: 400, body: { code: 'archive.damaged' } });
  });

  it('is refused at once when all its members are empty, or too many', LONG, async () => {
    const empty = Array.from({ length: 20_000 }, (_, n) => ({ name: `${n}.pdf`, content: Buffer.alloc(0), method: 0 }));
    expect((await upload(empty)).body.code).toBe('archive.empty');
    const many = Array.from({ length: 50_000 }, (_, n) => ({ name: `${n}`, content: Buffer.alloc(0) }));
    expect((await upload([...many, honest('one more.pdf')])).body.code).toBe('archive.too_many_files');
  });
});
