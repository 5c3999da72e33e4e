import Papa from 'papaparse';
import { parse as parseCard } from 'vcard4';
import { describe, expect, it } from 'vitest';
import { fromBuffer, type Entry } from 'yauzl';
import type { ContactRow } from '../../src-shared/contract/phone-backups/artifacts.ts';
import { archiveOf, type ArchiveFile } from '../../src-renderer/features/phone-backups/export/archive.ts';
import { csvOf } from '../../src-renderer/features/phone-backups/export/csv.ts';
import { safeName, safePath, makeUnique } from '../../src-renderer/features/phone-backups/export/file-name.ts';
import { vcardOf } from '../../src-renderer/features/phone-backups/export/vcard.ts';
import { expectFolded, TEXTS_TO_ESCAPE } from '../support/folded-lines.ts';

const contact = (more: Partial<ContactRow>): ContactRow => ({
  contact_identifier: 'id',
  prefix: null,
  first_name: null,
  middle_name: null,
  last_name: null,
  suffix: null,
  company: null,
  emails: [],
  phones: [],
  avatar_file_id: null,
  nickname: null,
  department: null,
  job_title: null,
  birthday: null,
  note: null,
  labelled: [],
  modified_at: null,
  ...more,
});

describe('contacts as vCard, read by another program', () => {
  it('keeps names, labels, addresses, birthdays without a year and notes of any length', () => {
    const note = `Zeile 1\nZeile 2; mit, allem \\ und 👍 ${'ä'.repeat(50_000)}`;
    const data = Buffer.from('\xff\xd8\xff a picture, and what else there is of it', 'latin1').toString('base64');
    const text = vcardOf(
      contact({
        prefix: 'Dr.',
        first_name: 'Peter; Paul',
        middle_name: 'A, B',
        last_name: 'Frisch\nMeier',
        suffix: 'jun.',
        company: 'Praxis; am Markt',
        department: 'Labor, 2',
        birthday: '1604-05-09',
        note,
        modified_at: '2020-01-06T10:40:00',
        labelled: [
          { kind: 'phone', label: 'mobile', value: '079 123 45 67' },
          { kind: 'phone', label: 'home fax', value: '031 1' },
          { kind: 'phone', label: 'Rezeption; 2. Stock', value: '031 2' },
          { kind: 'email', label: 'work', value: 'a@example.org' },
          { kind: 'address', label: 'work', value: 'Marktgasse 3\n3011 Bern' },
          { kind: 'url', label: 'Webseite', value: 'https://labor.example/?a=1,2;b' },
          { kind: 'date', label: 'anniversary', value: '2001-07-01' },
          { kind: 'other', label: 'twitter', value: '@frisch' },
        ],
        phones: ['079 123 45 67', '031 9'],
        emails: ['a@example.org'],
      }),
      { mime_type: 'image/jpeg', data },
    );
    expectFolded(text);
    const [card] = [parseCard(text)].flat();
    if (!card) throw new Error('There is no card.');
    const valueOf = (name: string): unknown => {
      const property = [card.getProperty(name)].flat()[0];
      return property?.value;
    };
    expect(text).toContain('BDAY:--0509\r\n');
    expect(text.replace(/\r\n /g, '')).toContain('N:Frisch\\nMeier;Peter\\; Paul;A\\, B;Dr.;jun.\r\n');
    expect(String(valueOf('FN'))).toMatch(/Dr\. Peter.*Paul.*Frisch/);
    expect(text.replace(/\r\n /g, '')).toContain('ORG:Praxis\\; am Markt;Labor\\, 2\r\n');
    expect([card.getProperty('TEL')].flat()).toHaveLength(4);
    expect(text).toMatch(
      /TEL;TYPE=cell:079 123 45 67\r\nTEL;TYPE="home,fax":031 1\r\nitem1\.TEL:031 2\r\nitem1\.X-ABLABEL:Rezeption\\; 2\. Stock\r\n/,
    );
    expect(text.replace(/\r\n /g, '')).toContain(`\r\nPHOTO:data:image/jpeg;base64,${data}\r\n`);
    expect(text).toContain('ANNIVERSARY:20010701\r\n');
    expect(text).toContain('REV:20200106T104000Z\r\n');
    expect(String(JSON.stringify(valueOf('NOTE'))).length).toBeGreaterThan(50_000);
  });

  it('writes one card for each contact, also without a name', () => {
    const text = [
      ...TEXTS_TO_ESCAPE.map((name, index) =>
        contact({ contact_identifier: String(index), first_name: name, note: name }),
      ),
      contact({ contact_identifier: 'x', phones: ['1'] }),
      contact({ contact_identifier: 'y' }),
    ]
      .map((one) => vcardOf(one))
      .join('');
    expectFolded(text);
    const cards = parseCard(text) as unknown as unknown[];
    expect(cards).toHaveLength(TEXTS_TO_ESCAPE.length + 2);
    expect(text).toContain('FN:1\r\n');
    expect(text).toContain('FN:y\r\n');
  });
});

describe('tables as CSV, read by another program', () => {
  it('round-trips its cells, and contains nothing that a spreadsheet would run', () => {
    const rows = [
      ['=HYPERLINK("http://x")', '@SUM(A1)', '-cmd', '+41 79 123 45 67', '-3,5'],
      TEXTS_TO_ESCAPE.slice(0, 5),
      ['\ttab', '\rreturn', '"', '""', ','],
    ];
    const text = csvOf(
      ['a', 'b', 'c', 'd', 'e'],
      [...rows, [1, true, null, 0, -2.5], ['x'.repeat(100_000), null, null, null, null]],
    );
    expect(text.codePointAt(0)).toBe(0xfeff);
    const { data, errors } = Papa.parse<string[]>(text.slice(1), { skipEmptyLines: true });
    expect(errors).toEqual([]);
    expect(data[1]).toEqual(['\'=HYPERLINK("http://x")', "'@SUM(A1)", "'-cmd", '+41 79 123 45 67', '-3,5']);
    expect(data.slice(2, 6)).toEqual([
      TEXTS_TO_ESCAPE.slice(0, 5),
      ["'\ttab", "'\rreturn", '"', '""', ','],
      ['1', 'true', '', '0', '-2.5'],
      ['x'.repeat(100_000), '', '', '', ''],
    ]);
  });
});

describe('files as ZIP, read by another program', () => {
  const leftOut = {
    name: 'Left out.txt',
    title: 'Left out:',
    links: ['HomeDomain/link'],
    linkReason: 'a link',
    reasonOf: (error: unknown) => (error as Error).message,
  };
  const file = (
    relativePath: string,
    at: string | null = '2023-03-01T08:00:30',
    domain = 'HomeDomain',
  ): ArchiveFile => ({ fileId: relativePath, domain, relativePath, filename: 'name', at });
  const source = (sizeOf: (id: string) => number) =>
    ({
      size: async (id: string) => {
        if (id.includes('gone')) throw new Error('not in the backup');
        return sizeOf(id);
      },
      bytes: async (_id: string, start: number, end: number) => new Uint8Array(end - start).fill(65),
    }) as never;
  const entriesOf = (bytes: Buffer): Promise<Map<string, { entry: Entry; bytes: Buffer }>> =>
    new Promise((resolve, reject) => {
      fromBuffer(bytes, { lazyEntries: true, decodeStrings: true }, (error, zip) => {
        if (error) return reject(error);
        const found = new Map<string, { entry: Entry; bytes: Buffer }>();
        zip
          .on('entry', (entry: Entry) =>
            zip.openReadStream(entry, (failure, stream) => {
              if (failure) return reject(failure);
              const pieces: Buffer[] = [];
              stream
                .on('data', (piece: Buffer) => pieces.push(piece))
                .on('end', () => {
                  found.set(entry.fileName, { entry, bytes: Buffer.concat(pieces) });
                  zip.readEntry();
                });
            }),
          )
          .on('end', () => resolve(found))
          .on('error', reject);
        zip.readEntry();
      });
    });

  it('keeps paths, dates and files that differ only in case, stays in its folder, and lists missing files', async () => {
    const files = [
      file('Library/a.txt'),
      file('library/A.TXT'),
      file('../../etc/passwd'),
      file('/abs/..\\..\\win.ini'),
      file('con.txt'),
      file('a:b*?.pdf'),
      file(''),
      file('Library'),
      file('old', '1970-01-01T00:00:00'),
      file('none', null),
      file('gone.bin'),
      file('tail. . '),
      file(`${'x'.repeat(300)}.pdf`),
      file('\u202egpj.exe'),
      file('empty'),
    ];
    const zip = await entriesOf(
      Buffer.from(
        await new Response(
          archiveOf(
            source((id) => (id === 'empty' ? 0 : 70_000)),
            files,
            leftOut,
          ),
        ).arrayBuffer(),
      ),
    );
    const names = [...zip.keys()];
    expect(names.slice(0, 6)).toEqual([
      'HomeDomain/Library/a.txt',
      'HomeDomain/library/A (2).TXT',
      'HomeDomain/etc/passwd',
      'HomeDomain/abs/_.._win.ini',
      'HomeDomain/_con.txt',
      'HomeDomain/a_b__.pdf',
    ]);
    expect(names).toContain('HomeDomain/Library (2)');
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    for (const name of names)
      expect(name).not.toMatch(/(^|\/)\.\.?(\/|$)|^\/|\\|[\u0000-\u001f<>:"|?*\u202e]|[. ](\/|$)/);
    expect(names.find((name) => name.includes('xxx'))).toMatch(/^HomeDomain\/x{116}\.pdf$/);
    expect(zip.get('HomeDomain/Library/a.txt')?.entry.getLastModDate().toISOString()).toBe(
      new Date('2023-03-01T08:00:30Z').toISOString(),
    );
    expect(zip.get('HomeDomain/empty')?.bytes).toHaveLength(0);
    expect(zip.get('Left out.txt')?.bytes.toString()).toBe(
      '\uFEFFLeft out:\r\n\r\nHomeDomain/link: a link\r\nHomeDomain/gone.bin: not in the backup\r\n',
    );
  });

  it('reads no further than its consumer, and stops when cancelled', async () => {
    let read = 0;
    const control = new AbortController();
    const stream = archiveOf(
      source(() => 3 * 1024 ** 3),
      [file('film.mov')],
      leftOut,
      {
        signal: control.signal,
        onBytes: (bytes) => {
          read += bytes;
        },
      },
    );
    const reader = stream.getReader();
    for (let length = 0; length < 9 * 1024 ** 2;) length += (await reader.read()).value?.length ?? 0;
    expect(read).toBeLessThan(32 * 1024 ** 2);
    control.abort();
    await expect(
      (async () => {
        for (;;) await reader.read();
      })(),
    ).rejects.toThrow(/abort/i);
    expect(read).toBeLessThan(48 * 1024 ** 2);
  });

  it('makes any name safe', () => {
    expect(
      [
        '',
        '..',
        '.',
        ' . ',
        'COM1',
        'lpt9.log',
        'nul',
        'CON.tar.gz',
        'a/b',
        '.hidden',
        'x\u0000y',
        'conduct',
        '\ud800',
      ].map(safeName),
    ).toEqual([
      '_',
      '_',
      '_',
      '_',
      '_COM1',
      '_lpt9.log',
      '_nul',
      '_CON.tar.gz',
      'a_b',
      'hidden',
      'x_y',
      'conduct',
      '\ufffd',
    ]);
    expect(safePath('../..')).toBe('_');
    expect(makeUnique(['a', 'A', 'a (2)', 'a/b'])).toEqual(['a (2)', 'A (3)', 'a (2) (2)', 'a/b']);
  });
});
