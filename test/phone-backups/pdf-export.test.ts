import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src-shared/contract/phone-backups/artifacts.ts';
import { contactPdf } from '../../src-renderer/features/phone-backups/pdf/contact-pdf.ts';
import { eventsPdf } from '../../src-renderer/features/phone-backups/pdf/event-pdf.ts';
import { notePdf } from '../../src-renderer/features/phone-backups/pdf/note-pdf.ts';
import { recordPdf } from '../../src-renderer/features/phone-backups/pdf/record-pdf.ts';
import { rowsPdf } from '../../src-renderer/features/phone-backups/pdf/rows-pdf.ts';
import { pdfLabels, writePdf } from '../support/phone-pdf.ts';
import { hasPdfPrograms, readPdf } from '../support/read-pdf.ts';

const ELENA = { name: 'iPhone von Elena', backedUpAt: '2026-11-12T10:00:00' };

describe.skipIf(!hasPdfPrograms)('other artifacts as PDF', () => {
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

  it('shows a note with its tables, images and links in place', async () => {
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
    const { bytes } = await writePdf(content.head, content.blocks, {
      pictures: new Map([['d', { bytes: new Uint8Array(await jpeg), isHeic: false }]]),
    });
    const { text, images } = readPdf(bytes);
    const head =
      'Befunde: März/April iCloud · Gesundheit 1 Feb 2023 · changed 2 Feb 2023 iPhone von Elena, backup of 12 Nov 2026';
    const oneLine = text.replace(/\s+/g, ' ');
    expect(oneLine).toContain(`${head} TSH im März Datum TSH 1. 3. 2,4 und dann `);
    expect(oneLine.slice(oneLine.indexOf(head))).toMatch(
      /2,4 und dann .*Skizze Scanned document: Arztbrief Labor: https:\/\/labor\.example ☑ ?Ende weg\.jpg: not in the backup/,
    );
    expect(images).toMatch(/600 +300/);
  });

  it('shows calendar entries, a contact, and a list of any length', async () => {
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
    const said = readPdf((await writePdf(events.content.head, events.content.blocks)).bytes).text;
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
    const address = readPdf((await writePdf(card.content.head, card.content.blocks)).bytes).text;
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
    const table = readPdf((await writePdf(list.content.head, list.content.blocks)).bytes).text;
    expect(table.match(/Wert \d+/g)).toHaveLength(730);
    expect(table).toContain('1 Mar 2023 – 30 Mar 2023 · 730 entries');
  });

  it('shows a clinical record with the important fields first, and without attached files', async () => {
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
    const { text } = readPdf((await writePdf(content.head, content.blocks)).bytes);
    expect(text).toMatch(/Value +2\.4 mU\/l/);
    expect(text).toContain('"resourceType": "Observation"');
    expect(text).toContain('… (200000)');
  });
});
