import { describe, expect, it } from 'vitest';
import { readMessageSummary } from '../../src-shared/ios-backup/artifacts/message-summary.ts';
import { readNoteBody, readNoteTable } from '../../src-shared/ios-backup/artifacts/note-body.ts';
import { textOfTypedStream } from '../../src-shared/ios-backup/artifacts/typedstream.ts';
import { appleTime } from '../../src-shared/ios-backup/artifacts/column-values.ts';
import { Message } from '../../src-shared/ios-backup/format/protobuf.ts';
import { attributedBody, noteData, noteTable } from '../fixtures/ios-backup/artifacts/encoders.ts';
import { binaryPlist } from '../fixtures/ios-backup/plist-writer.ts';

/** A plain message byte by byte, with the attribute that Messages gives every part; it was not made by our writer. */
const BY_HAND =
  '040B73747265616D747970656481E803840140848484124E5341747472696275746564537472696E67008484084E534F62' +
  '6A656374008592848484084E53537472696E67019484012B0A4E6F74657220746573748684026949010A928484840C4E53' +
  '44696374696F6E617279009484016901928496961D5F5F6B494D4D657373616765506172744174747269627574654E616D' +
  '658692848484084E534E756D626572008484074E5356616C7565009484012A84999900868686';

describe('typed streams', () => {
  it('reads a message with its attributes, classes and references', () => {
    expect(textOfTypedStream(Buffer.from(BY_HAND, 'hex'))).toBe('Noter test');
  });

  it.each([
    ['short', 'Hello'],
    ['of 127 bytes', 'a'.repeat(127)],
    ['of 128 bytes', 'b'.repeat(128)],
    ['of 200 bytes', 'c'.repeat(200)],
    ['of 70 000 bytes', 'd'.repeat(70_000)],
    ['emoji', 'Zürich 👩‍⚕️ früh'],
    ['empty', ''],
  ])('reads text that is %s', (_, text) => {
    expect(textOfTypedStream(attributedBody(text))).toBe(text);
    expect(textOfTypedStream(attributedBody(text, { mutable: true }))).toBe(text);
  });

  it('returns nothing for a stream that ends before its text', () => {
    const whole = attributedBody('A text of some length');
    const end = whole.indexOf('A text') + 'A text of some length'.length;
    for (let length = 0; length < end; length += 1) expect(textOfTypedStream(whole.subarray(0, length))).toBe(null);
    expect(textOfTypedStream(whole.subarray(0, end))).toBe('A text of some length');
  });

  it('returns nothing for other bytes, lengths beyond the end, and endless nesting', () => {
    for (const bytes of [
      Buffer.from('bplist00'),
      Buffer.alloc(0),
      Buffer.concat([attributedBody('x').subarray(0, 16), Buffer.alloc(100_000, 0x84)]),
    ])
      expect(textOfTypedStream(bytes)).toBe(null);
    const long = attributedBody('text');
    long[long.indexOf('text') - 1] = 0x7f;
    expect(textOfTypedStream(long)).toBe(null);
  });
});

describe('edited and unsent messages', () => {
  it('lists earlier texts with the times until which they stood, and the current one apart', () => {
    const bytes = binaryPlist({
      otr: { 0: { lo: 0, le: 5 } },
      ec: {
        0: [
          { d: 690_513_474, t: attributedBody('First') },
          { d: 690_513_480, t: attributedBody('Second') },
          { d: 690_513_494, t: attributedBody('Third') },
        ],
      },
    });
    expect(readMessageSummary(bytes)).toEqual({
      edits: [
        { text: 'First', edited_at: '2022-11-19T01:18:00' },
        { text: 'Second', edited_at: '2022-11-19T01:18:14' },
      ],
      current: 'Third',
      isUnsent: false,
    });
  });
  it('recognizes a message that was unsent completely or in part', () => {
    expect(readMessageSummary(binaryPlist({ otr: { 0: { lo: 0, le: 5 } }, rp: [0] }))).toMatchObject({
      isUnsent: true,
    });
    expect(
      readMessageSummary(binaryPlist({ otr: { 0: { lo: 0, le: 5 }, 1: { lo: 5, le: 2 } }, rp: [1] })),
    ).toMatchObject({ isUnsent: false });
  });
  it('returns nothing for damaged ones', () => {
    for (const bytes of [
      null,
      Buffer.from('bplist00zzzz'),
      binaryPlist(['a']),
      binaryPlist({ ec: { 0: 'x' } }),
      binaryPlist({ otr: 7, rp: 'x' }),
    ])
      expect(readMessageSummary(bytes)).toEqual({ edits: [], current: null, isUnsent: false });
  });
});

describe('notes', () => {
  it('reads gzip and zlib, with attachments in their order', async () => {
    const parts = [
      { identifier: 'A-1', uti: 'com.apple.notes.table' },
      { identifier: 'B-2', uti: 'com.adobe.pdf' },
    ];
    expect(await readNoteBody(noteData('Befund\n\uFFFC und \uFFFC', parts))).toEqual({
      text: 'Befund\n\uFFFC und \uFFFC',
      attachments: parts,
      checklist: [],
    });
    expect(await readNoteBody(noteData('zlib', [], { zlib: true }))).toEqual({
      text: 'zlib',
      attachments: [],
      checklist: [],
    });
  });
  it('reads tables in either direction', async () => {
    const rows = [
      ['Datum', 'Wert', 'Einheit'],
      ['1. 3.', '6,1', 'mmol/l'],
      ['2. 3.', '', 'mmol/l'],
    ];
    expect(await readNoteTable(noteTable(rows))).toEqual(rows);
    expect(await readNoteTable(noteTable(rows, { fromRight: true }))).toEqual(rows.map((row) => row.toReversed()));
  });
  it('rejects damaged, encrypted and excessively expanding data', async () => {
    await expect(readNoteBody(Buffer.from('encrypted bytes'))).rejects.toThrow();
    const whole = noteData('A note that is cut');
    await expect(readNoteBody(whole.subarray(0, whole.length - 5))).rejects.toThrow();
    expect(() => new Message(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]))).toThrow();
  });
});

describe('times', () => {
  it.each([
    [700_000_000, '2023-03-08T20:26:40'],
    [700_000_000n * 1_000_000_000n, '2023-03-08T20:26:40'],
    [700_000_000.9, '2023-03-08T20:26:40'],
    ['700000000', '2023-03-08T20:26:40'],
    [0, null],
    [null, null],
    ['', null],
    [-978_307_200, null],
    [9e18, null],
    [1e10, null],
    [Number.NaN, null],
    [-200_000_000, '1994-08-31T04:26:40'],
  ])('%s is %s', (value, expected) => {
    expect(appleTime(value)).toBe(expected);
  });
});
