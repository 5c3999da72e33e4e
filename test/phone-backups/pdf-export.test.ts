import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { hasRequirements } from '../support/requirements.ts';
import type { EventRow } from '../../src-shared/contract/phone-backups/artifacts.ts';
import { contactPdf } from '../../src-renderer/features/phone-backups/pdf/contact-pdf.ts';
import { conversationPdf } from '../../src-renderer/features/phone-backups/pdf/conversation-pdf.ts';
import { eventsPdf } from '../../src-renderer/features/phone-backups/pdf/event-pdf.ts';
import { notePdf } from '../../src-renderer/features/phone-backups/pdf/note-pdf.ts';
import { recordPdf } from '../../src-renderer/features/phone-backups/pdf/record-pdf.ts';
import { rowsPdf } from '../../src-renderer/features/phone-backups/pdf/rows-pdf.ts';
import type { Block } from '../../src-renderer/features/phone-backups/worker/pdf-export/blocks.ts';
import { messageOf, pdfLabels, pressed } from '../support/phone-pdf.ts';

const scratch = mkdtempSync(join(tmpdir(), 'hearth-paper-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const HAS_PROGRAMS = hasRequirements('PDFs checked by other programs', {
  programs: ['qpdf', 'pdftotext', 'pdffonts', 'pdfinfo', 'pdfimages'],
});

const ELENA = { name: 'iPhone von Elena', backedUpAt: '2026-11-12T10:00:00' };
function checked(bytes: Buffer): { text: string; info: string; fonts: string; images: string } {
  const file = join(scratch, 'paper.pdf');
  writeFileSync(file, bytes);
  const run = (program: string, args: string[]): string =>
    execFileSync(program, args, { maxBuffer: 1 << 28 }).toString();
  expect(run('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors');
  return {
    text: run('pdftotext', ['-layout', file, '-']),
    info: run('pdfinfo', [file]),
    fonts: run('pdffonts', [file]),
    images: run('pdfimages', ['-list', file]),
  };
}

describe.skipIf(!HAS_PROGRAMS)('a conversation as PDF', () => {
  const photo = {
    file_id: 'photo',
    relative_path: 'Library/SMS/Attachments/aa/IMG_1.HEIC',
    mime_type: 'image/heic',
    size_bytes: 10,
    filename: 'IMG_1.HEIC',
  };
  const messages = [
    messageOf('1', {
      text: 'Guten Tag, hier der Befund: TSH 2,4 mU/l ≥ Norm ½ → gut',
      has_attachments: true,
      attachments: [
        {
          file_id: 'x',
          relative_path: 'a/Befund.pdf',
          mime_type: 'application/pdf',
          size_bytes: 77,
          filename: 'Befund.pdf',
        },
        photo,
        { ...photo, file_id: null, filename: 'gone.jpg' },
      ],
    }),
    messageOf('2', {
      is_from_me: true,
      sent_at: '2023-03-01T08:05:00',
      text: 'Danke! 👍🏽 ❤️ 👨‍👩‍👧 🇨🇭',
      reply_to_guid: '1',
      reactions: [
        { kind: 'loved', emoji: null, sender: 'x', sender_name: 'Oma', is_from_me: false, sent_at: null },
        { kind: 'emoji', emoji: '🎉', sender: null, sender_name: null, is_from_me: true, sent_at: null },
      ],
    }),
    messageOf('3', {
      sent_at: '2023-03-02T09:00:00',
      text: 'Καλημέρα · Привет, результат в норме · Việt e\u0301',
      edits: [{ text: 'Termin um 8', edited_at: '2023-03-02T09:01:00' }],
      subject: 'Termin',
    }),
    messageOf('4', { sent_at: '2023-03-02T09:02:00', is_unsent: true }),
    messageOf('5', { sent_at: '2023-03-02T09:03:00', kind: 'event', text: 'named the group “Familie”' }),
    messageOf('6', {
      sent_at: '2023-03-02T09:04:00',
      text: `${'x'.repeat(400)} \uFFFC\u0000\u202e ${'Ein Satz mit Wörtern. '.repeat(500)}`,
    }),
  ];
  const { content, ...written } = conversationPdf(
    { title: 'Peter Frisch', people: ['Peter Frisch (+41 79 123 45 67)'], kind: 'Messages' },
    messages,
    ELENA,
    pdfLabels,
  );

  it('shows every message with its time, replies, reactions, edits and files, and opens in other programs', async () => {
    const jpeg = new Uint8Array(
      await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#357' } })
        .jpeg()
        .toBuffer(),
    );
    expect(written).toEqual({
      filename: 'Peter Frisch.pdf',
      date: '2023-03-02',
      origin:
        'Messages with Peter Frisch, 1 Mar 2023 – 2 Mar 2023, 6 messages · iPhone von Elena, backup of 12 Nov 2026',
    });
    const { bytes, missing: lacking } = await pressed(content.head, content.blocks, {
      pictures: new Map([['photo', { bytes: jpeg, isHeic: false }]]),
    });
    expect(lacking).toEqual({});
    const { text, info, fonts, images } = checked(bytes);
    for (const part of [
      'Peter Frisch (+41 79 123 45 67)',
      'Messages · 1 Mar 2023 – 2 Mar 2023 · 6 messages',
      'iPhone von Elena, backup of 12 Nov 2026',
      'Peter Frisch · 08:00',
      'TSH 2,4 mU/l ≥ Norm ½ → gut',
      'Attachment: Befund.pdf, 77 B',
      'gone.jpg: not in the backup',
      'IMG_1.HEIC',
      'Me · 08:05',
      '› Peter Frisch: Guten Tag',
      '❤',
      '🎉 Me',
      '♥ Oma',
      'Καλημέρα · Привет, результат в норме · Việt é',
      'Termin um 8',
      'unsent',
      'named the group “Familie”',
      '2 Mar 2023',
      'Page 1 of ',
    ])
      expect(text).toContain(part);
    expect(text.match(/Wörtern\./g)).toHaveLength(500);
    expect(text.replace(/\s+/g, '')).toContain('x'.repeat(200));
    expect(info).toMatch(
      /Title: +Peter Frisch\n[\s\S]*Producer: +Hearth[\s\S]*CreationDate: .*2023[\s\S]*Page size: .*A4/,
    );
    const embedded = fonts.trim().split('\n').slice(2);
    expect(embedded.length).toBeGreaterThan(1);
    for (const line of embedded) expect(line).toMatch(/CID TrueType\s+Identity-H\s+yes yes yes/);
    expect(images).toMatch(/1200 +900 +rgb +3 +8 +jpeg/);
    expect(
      await pressed(content.head, content.blocks, { pictures: new Map([['photo', { bytes: jpeg, isHeic: false }]]) }),
    ).toEqual({ bytes, missing: {} });
  });

  it('says which scripts it has no font for, in the file and to whoever made it', async () => {
    const {
      content: { head, blocks },
    } = conversationPdf(
      { title: 'عائلة', people: [], kind: 'WhatsApp' },
      [messageOf('1', { text: 'مرحبا، النتيجة هنا and שלום or 検査結果です 👍' })],
      ELENA,
      pdfLabels,
    );
    const { bytes, missing: lacking } = await pressed(head, blocks);
    expect(Object.keys(lacking).sort()).toEqual(['Arab', 'Hani', 'Hebr', 'Hira']);
    const { text } = checked(bytes);
    expect(text).toMatch(/‹Arabic› and ‹Hebrew› or ‹Han›‹Hiragana› 👍/);
    expect(text).toMatch(/Hearth has no font for Arabic \(\d\), Hebrew \(1\)/);
  });

  it('gives pages away as they are filled when it is long, and stays whole', async () => {
    const { content: many } = conversationPdf(
      { title: 'Long', people: [], kind: 'Messages' },
      Array.from({ length: 1500 }, (_, index) =>
        messageOf(String(index), {
          is_from_me: index % 2 === 0,
          sent_at: `2023-03-${String(1 + (index % 28)).padStart(2, '0')}T08:00:00`,
          text: `Nachricht Nummer ${index}.`,
        }),
      ),
      ELENA,
      pdfLabels,
    );
    const { bytes } = await pressed(many.head, many.blocks, { isLong: true });
    const { text, info } = checked(bytes);
    expect(text.match(/Nachricht Nummer/g)).toHaveLength(1500);
    const pages = Number(/Pages: +(\d+)/.exec(info)?.[1]);
    expect(text).toContain(`Page ${pages}\n`);
    expect(pages).toBeGreaterThan(50);
  });

  it(
    'takes whatever stands in it: nothing, tables wider and cells longer than a page, pictures that ' + 'are none',
    async () => {
      const cell = 'lange Bemerkung '.repeat(700);
      const blocks: Block[] = [
        { kind: 'table', rows: [] },
        { kind: 'table', rows: [['Datum', 'TSH'], [], ['1. 3.', '2,4', cell]] },
        { kind: 'table', rows: [Array.from({ length: 40 }, (_, index) => `Spalte ${index}`)] },
        {
          kind: 'facts',
          rows: [
            ['Adresse', 'Marktgasse 3\n3011 Bern'],
            ['', ''],
          ],
        },
        { kind: 'heading', text: 'A heading '.repeat(60) },
        { kind: 'text', text: '' },
        { kind: 'message', side: 'left', head: '', quote: null, subject: null, text: '\n'.repeat(200), notes: [] },
        { kind: 'picture', side: 'wide', fileId: 'gone', name: 'scan.png' },
        { kind: 'middle', text: '\ud800 \ud83d', isDay: true },
      ];
      const { bytes } = await pressed({ ...content.head, title: '' }, blocks);
      const { text } = checked(bytes);
      expect(text.match(/Bemerkung/g)).toHaveLength(700);
      expect(text).toContain('3011 Bern');
      expect(text).toContain('scan.png: this picture cannot be shown');
      checked((await pressed(content.head, [])).bytes);
    },
  );
});

describe.skipIf(!HAS_PROGRAMS)('other things of a phone as PDF', () => {
  const jpeg = sharp({ create: { width: 600, height: 300, channels: 3, background: '#aab' } })
    .jpeg()
    .toBuffer();
  const attachment = {
    title: null,
    file_id: null,
    relative_path: null,
    uti: null,
    rows: null,
    url: null,
    recognised_text: null,
  };

  it('a note has its tables, pictures and links where they stand', async () => {
    const { content, filename, date, origin } = notePdf(
      {
        note_identifier: 'n',
        title: 'Befunde: März/April',
        body: 'Befunde: März/April\nTSH im März \uFFFC und dann\n\uFFFC\uFFFC\n\uFFFC\nEnde',
        folder: 'Gesundheit',
        created_at: '2023-02-01T12:00:00',
        last_modified_at: '2023-02-02T12:00:00',
        is_locked: false,
        is_pinned: true,
        is_deleted: false,
        account: 'iCloud',
        checklist: [{ line: 4, is_done: true }],
        attachments: [
          {
            ...attachment,
            kind: 'table',
            rows: [
              ['Datum', 'TSH'],
              ['1. 3.', '2,4'],
            ],
          },
          {
            ...attachment,
            kind: 'drawing',
            file_id: 'd',
            relative_path: 'FallbackImages/D/FallbackImage.png',
            title: 'Skizze',
          },
          {
            ...attachment,
            kind: 'scan',
            file_id: 's',
            relative_path: 'FallbackPDFs/S/FallbackPDF.pdf',
            title: 'Arztbrief',
          },
          { ...attachment, kind: 'link', url: 'https://labor.example', title: 'Labor' },
          { ...attachment, kind: 'image', title: 'weg.jpg' },
        ],
      },
      ELENA,
      pdfLabels,
    );
    expect({ filename, date, origin }).toEqual({
      filename: 'Befunde_ März_April.pdf',
      date: '2023-02-01',
      origin: 'Note “Befunde: März/April” · iPhone von Elena, backup of 12 Nov 2026',
    });
    const { bytes } = await pressed(content.head, content.blocks, {
      pictures: new Map([['d', { bytes: new Uint8Array(await jpeg), isHeic: false }]]),
    });
    const { text, images } = checked(bytes);
    const head =
      'Befunde: März/April iCloud · Gesundheit 1 Feb 2023 · changed 2 Feb 2023 iPhone von Elena, backup of 12 Nov 2026';
    const oneLine = text.replace(/\s+/g, ' ');
    expect(oneLine).toContain(`${head} TSH im März Datum TSH 1. 3. 2,4 und dann `);
    expect(oneLine.slice(oneLine.indexOf(head))).toMatch(
      /2,4 und dann .*Skizze Scanned document: Arztbrief Labor: https:\/\/labor\.example ☑ ?Ende weg\.jpg: not in the backup/,
    );
    expect(images).toMatch(/600 +300/);
  });

  it('entries of a calendar, a card of the address book, and a list of any length', async () => {
    const event: EventRow = {
      event_identifier: 'e',
      calendar_identifier: 'c',
      title: 'Physiotherapie',
      location: 'Praxis am Markt',
      notes: 'Rücken\nRezept mitnehmen',
      starts_at: '2023-03-06T08:00:00',
      ends_at: '2023-03-06T09:00:00',
      is_all_day: false,
      timezone: 'Europe/Zurich',
      url: null,
      recurrence: 'FREQ=WEEKLY;COUNT=6',
      excluded_dates: [],
      series_identifier: null,
      original_starts_at: null,
      attendees: [{ name: 'Peter Frisch', address: 'frisch@example.org', status: 'accepted' }],
      alarms: [{ seconds: -5400, at: null }],
    };
    const events = eventsPdf(
      [
        event,
        {
          ...event,
          title: null,
          is_all_day: true,
          starts_at: '2023-05-09T00:00:00',
          ends_at: '2023-05-10T23:59:59',
          recurrence: null,
          attendees: [],
        },
      ],
      () => 'Familie',
      ELENA,
      pdfLabels,
    );
    expect([events.filename, events.date]).toEqual(['Calendar.pdf', '2023-05-09']);
    // An appointment shortly after midnight is on the day of its zone, wherever the reader is.
    expect(
      eventsPdf([{ ...event, starts_at: '2023-03-06T23:30:00', ends_at: null }], () => '', ELENA, pdfLabels).date,
    ).toBe('2023-03-07');
    const said = checked((await pressed(events.content.head, events.content.blocks)).bytes).text;
    for (const part of [
      'Physiotherapie',
      '6 Mar 2023 08:00 – 09:00',
      'Every week · 6 times',
      'Rezept mitnehmen',
      'Peter Frisch · frisch@example.org',
      '9 May 2023 – 10 May 2023 · all day',
      'Reminder',
      '1 hour 30 minutes before',
      '1 day before at 22:30',
    ])
      expect(said).toContain(part);

    const card = contactPdf(
      'Peter Frisch',
      {
        contact_identifier: 'p',
        prefix: null,
        suffix: null,
        first_name: 'Peter',
        last_name: 'Frisch',
        company: 'Praxis am Markt',
        emails: [],
        phones: ['079 123 45 67'],
        avatar_file_id: null,
        middle_name: null,
        nickname: null,
        department: null,
        job_title: 'Arzt',
        birthday: '1604-05-09',
        note: 'nur vormittags',
        labelled: [{ kind: 'address', label: 'work', value: 'Marktgasse 3\n3011 Bern' }],
        modified_at: null,
      },
      ELENA,
      pdfLabels,
    );
    const address = checked((await pressed(card.content.head, card.content.blocks)).bytes).text;
    for (const part of ['Arzt · Praxis am Markt', '3011 Bern', '079 123 45 67', '9 May\n', 'nur vormittags'])
      expect(address).toContain(part);

    const rows = Array.from({ length: 730 }, (_, index) => ({
      at: `2023-03-${String(1 + (index % 30)).padStart(2, '0')}T08:00:00`,
      value: `Wert ${index}`,
    }));
    const list = rowsPdf(
      {
        title: 'Blutdruck',
        lines: [],
        rows,
        columns: [
          { name: 'Datum', share: 1, cell: ({ at }) => at },
          { name: 'Messung', share: 3, cell: ({ value }) => value },
        ],
        times: rows.map(({ at }) => at),
        what: 'Health',
      },
      ELENA,
      pdfLabels,
    );
    const table = checked((await pressed(list.content.head, list.content.blocks)).bytes).text;
    expect(table.match(/Wert \d+/g)).toHaveLength(730);
    expect(table).toContain('1 Mar 2023 – 30 Mar 2023 · 730 entries');
  });

  it('a clinical record says what matters first, then what came, without attached files in letters', async () => {
    const fhir = { resourceType: 'Observation', code: { text: 'TSH' }, presentedForm: [{ data: 'A'.repeat(200_000) }] };
    const { content, filename, date, origin } = recordPdf(
      {
        record_identifier: 'r',
        resource_type: 'Observation',
        title: 'TSH',
        recorded_at: '2023-02-01T10:00:00',
        source: 'https://labor.example',
        fhir_version: '4.0.1',
        fhir,
      },
      { title: 'TSH', kind: 'Result', sender: 'labor.example', facts: [['Value', '2.4 mU/l']] },
      ELENA,
      pdfLabels,
    );
    expect({ filename, date, origin }).toEqual({
      filename: 'TSH.pdf',
      date: '2023-02-01',
      origin: 'Clinical records · Result · labor.example · iPhone von Elena, backup of 12 Nov 2026',
    });
    const { text } = checked((await pressed(content.head, content.blocks)).bytes);
    expect(text).toMatch(/Value +2\.4 mU\/l/);
    expect(text).toContain('"resourceType": "Observation"');
    expect(text).toContain('… (200000)');
  });
});
