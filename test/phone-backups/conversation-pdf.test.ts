import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { conversationPdf } from '../../src-renderer/features/phone-backups/pdf/conversation-pdf.ts';
import type { Block } from '../../src-renderer/features/phone-backups/worker/pdf-export/blocks.ts';
import { messageOf, pdfLabels, writePdf } from '../support/phone-pdf.ts';
import { hasPdfPrograms, readPdf } from '../support/read-pdf.ts';

const ELENA = { name: 'iPhone von Elena', backedUpAt: '2026-11-12T10:00:00' };

describe.skipIf(!hasPdfPrograms)('a conversation as PDF', () => {
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
    const { bytes, missing: lacking } = await writePdf(content.head, content.blocks, {
      pictures: new Map([['photo', { bytes: jpeg, isHeic: false }]]),
    });
    expect(lacking).toEqual({});
    const { text, info, fonts, images } = readPdf(bytes);
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
      'Before, until 2 Mar 2023 09:01: Termin um 8',
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
      await writePdf(content.head, content.blocks, { pictures: new Map([['photo', { bytes: jpeg, isHeic: false }]]) }),
    ).toEqual({ bytes, missing: {} });
  });

  it('reports scripts without a font, in the file and to the caller', async () => {
    const {
      content: { head, blocks },
    } = conversationPdf(
      { title: 'عائلة', people: [], kind: 'WhatsApp' },
      [messageOf('1', { text: 'مرحبا، النتيجة هنا and שלום or 検査結果です 👍' })],
      ELENA,
      pdfLabels,
    );
    const { bytes, missing: lacking } = await writePdf(head, blocks);
    expect(Object.keys(lacking).sort()).toEqual(['Arab', 'Hani', 'Hebr', 'Hira']);
    const { text } = readPdf(bytes);
    expect(text).toMatch(/‹Arabic› and ‹Hebrew› or ‹Han›‹Hiragana› 👍/);
    expect(text).toMatch(/Hearth has no font for Arabic \(\d\), Hebrew \(1\)/);
  });

  it('streams the pages of a long conversation, and is complete', async () => {
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
    const { bytes } = await writePdf(many.head, many.blocks, { isLong: true });
    const { text, info } = readPdf(bytes);
    expect(text.match(/Nachricht Nummer/g)).toHaveLength(1500);
    const pages = Number(/Pages: +(\d+)/.exec(info)?.[1]);
    expect(text).toContain(`Page ${pages}\n`);
    expect(pages).toBeGreaterThan(50);
  });

  it('accepts empty conversations, tables wider and cells longer than a page, and broken images', async () => {
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
    const { bytes } = await writePdf({ ...content.head, title: '' }, blocks);
    const { text } = readPdf(bytes);
    expect(text.match(/Bemerkung/g)).toHaveLength(700);
    expect(text).toContain('3011 Bern');
    expect(text).toContain('scan.png: this image can’t be shown');
    readPdf((await writePdf(content.head, [])).bytes);
  });
});
