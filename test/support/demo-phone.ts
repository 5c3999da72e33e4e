import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { phoneEntries } from '../fixtures/ios-backup/artifacts/phone.ts';
import { apple, appleNs, database } from '../fixtures/ios-backup/artifacts/tables.ts';
import { generateBackup, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { binaryPlist } from '../fixtures/ios-backup/plist-writer.ts';
import { health } from './demo-phone-health.ts';

export const BACKUP_PASSWORD = 'Grüße aus Bern';

const GUID = (n: number): string => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;

const SHAPES: [number, number][] = [
  [400, 300],
  [300, 400],
  [420, 280],
  [400, 400],
  [520, 240],
];

const TALK = [
  'Guten Morgen, wie geht es dem Knie?',
  'Viel besser, danke. Das Röntgenbild ist unauffällig.',
  'Das freut mich. Bitte die Übungen noch zwei Wochen weiterführen.',
  'Mache ich. Soll ich das Medikament absetzen?',
  'Ja, nur noch bei Bedarf.',
  'Vielen Dank!',
];

/**
 * A backup of a fictional phone that fills every screen: long conversations, photos of many days, a year of health.
 * Encrypted, with few rounds.
 */
export async function makeDemoPhone(parent: string, id = '00008110-000A1B2C3D4E5F60'): Promise<string> {
  const folder = join(parent, id),
    scratch = join(parent, 'scratch');
  mkdirSync(scratch, { recursive: true });
  const entries = new Map(phoneEntries(scratch, 26).map((entry) => [`${entry.domain}-${entry.path}`, entry]));
  const put = (entry: EntrySpec): void => {
    entries.set(`${entry.domain}-${entry.path}`, entry);
  };
  put({ domain: 'HomeDomain', path: 'Library/SMS/sms.db', content: messages(scratch) });
  put({
    domain: 'MediaDomain',
    path: 'Library/SMS/Attachments/ab/11/Befund.pdf',
    content: await pdf(['Praxis am Markt', 'Befund Knie links', 'Kein Erguss.']),
    modifiedAt: 1_677_657_600,
  });
  put({
    domain: 'MediaDomain',
    path: 'Library/SMS/Attachments/ab/12/roentgen.jpg',
    content: await picture(640, 480, '#30343c'),
  });
  put({ domain: 'HealthDomain', path: 'Health/healthdb_secure.sqlite', content: health(scratch) });
  put({ domain: 'CameraRollDomain', path: 'Media/PhotoData/Photos.sqlite', content: photos(scratch, 64) });
  for (let n = 1; n <= 64; n++) {
    const [width, height] = SHAPES[n % SHAPES.length] ?? [400, 300];
    put({
      domain: 'CameraRollDomain',
      path: `Media/DCIM/100APPLE/IMG_${String(n).padStart(4, '0')}.JPG`,
      content: await picture(width, height, `hsl(${(n * 47) % 360} 32% ${34 + ((n * 13) % 34)}%)`),
      modifiedAt: 1_690_000_000 + n * 40_000,
    });
  }
  put({
    domain: 'HomeDomain',
    path: 'Library/Preferences/com.apple.example.plist',
    content: binaryPlist({
      Name: 'Elena',
      Units: ['kg', 'mmol/L'],
      Nested: { On: true, Since: new Date('2024-01-01T00:00:00Z') },
    }),
  });
  put({ domain: 'HomeDomain', path: 'Library/Notes/readme.txt', content: 'Plain words of a file.\nA second line.\n' });
  for (const name of ['picture.heic', 'memo.m4a', 'voice.caf', 'samples.caf', 'wide-tones.amr'])
    put({
      domain: 'HomeDomain',
      path: `Library/Media/${name}`,
      content: readFileSync(new URL(`../fixtures/ios-backup/media/${name}`, import.meta.url)),
    });
  const tones = readFileSync(new URL('../fixtures/ios-backup/media/tones.amr', import.meta.url));
  put({ domain: 'HomeDomain', path: 'Library/Voicemail/7.amr', content: tones });
  put({ domain: 'HomeDomain', path: 'Library/Media/cut.amr', content: tones.subarray(0, 1000) });
  put({ domain: 'HomeDomain', path: 'Library/Media/blank.amr', content: tones.subarray(0, 20) });
  put({
    domain: 'HomeDomain',
    path: 'Library/Media/latin.txt',
    content: Buffer.from('Größe: 172 cm, Erhöhung', 'latin1'),
  });
  put({
    domain: 'HomeDomain',
    path: 'Library/Media/wide.txt',
    content: Buffer.from('\uFEFFBefund für Elena', 'utf16le'),
  });
  put({ domain: 'HomeDomain', path: 'Library/Missing/gone.bin', content: 'x', missing: true });
  await generateBackup({
    folder,
    entries: entries.values(),
    keybag: { password: BACKUP_PASSWORD, rounds: 1000, firstRounds: 20_000 },
    info: {
      'Device Name': 'iPhone von Elena',
      'Display Name': 'iPhone von Elena',
      'Product Name': 'iPhone 15',
      'Product Type': 'iPhone15,4',
      'Product Version': '26.1',
      'Last Backup Date': new Date('2026-11-12T08:30:00Z'),
    },
  });
  return folder;
}

/** A picture with a slope of light, so that it does not compress to nothing. */
const picture = (width: number, height: number, color: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect ` +
        `width="100%" height="100%" fill="${color}"/><circle cx="${width * 0.68}" cy="${height * 0.34}" ` +
        `r="${height * 0.16}" fill="#fff" fill-opacity=".5"/><path d="M0 ${height * 0.8} L${width * 0.4} ` +
        `${height * 0.45} L${width} ${height * 0.85} V${height} H0Z" fill="#000" ` +
        'fill-opacity=".35"/></svg>',
    ),
  )
    .jpeg({ quality: 80 })
    .toBuffer();

async function pdf(lines: readonly string[]): Promise<Buffer> {
  const document = await PDFDocument.create(),
    font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 0; page < 2; page++) {
    const sheet = document.addPage([420, 595]);
    lines.forEach((line, index) =>
      sheet.drawText(line, { x: 48, y: 520 - index * 28, size: index === 0 ? 18 : 13, font }),
    );
  }
  return Buffer.from(await document.save());
}

type Cell = string | number | bigint | null;

/** A long conversation with a practice, and one message in another. */
function messageRows(): Cell[][] {
  const rows = Array.from({ length: 600 }, (_, index): Cell[] => {
    const id = index + 1,
      at = new Date(Date.UTC(2025, 0, 3, 7, 0) + index * 11 * 3_600_000).toISOString().slice(0, 19);
    return [
      id,
      GUID(id),
      `${TALK[index % TALK.length]}${index % 50 === 49 ? ` Termin Nummer ${id}.` : ''}`,
      index % 2 === 0 ? 1 : 0,
      'iMessage',
      null,
      appleNs(at),
      0,
      0,
      index % 2,
      id === 599 || id === 597 ? 1 : 0,
      0,
      null,
      null,
      0,
      null,
      null,
      0,
      0,
      null,
    ];
  });
  rows.push([
    700,
    GUID(700),
    'Bis Sonntag!',
    2,
    'iMessage',
    null,
    appleNs('2025-10-01T09:01:00'),
    0,
    0,
    0,
    0,
    0,
    null,
    null,
    0,
    null,
    null,
    0,
    0,
    null,
  ]);
  return rows;
}

function messages(folder: string): Buffer {
  const rows = messageRows();
  return database(folder, {
    message: {
      columns:
        'ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT, handle_id INTEGER, service TEXT, ' +
        'attributedBody BLOB, date INTEGER, date_read INTEGER, date_delivered INTEGER, is_from_me ' +
        'INTEGER, cache_has_attachments INTEGER, item_type INTEGER, group_title TEXT, ' +
        'associated_message_guid TEXT, associated_message_type INTEGER, thread_originator_guid TEXT, ' +
        'message_summary_info BLOB, date_edited INTEGER, date_retracted INTEGER, ' +
        'associated_message_emoji TEXT',
      rows,
    },
    handle: {
      columns: 'ROWID INTEGER PRIMARY KEY, id TEXT, service TEXT',
      rows: [
        [1, '+41791234567', 'iMessage'],
        [2, 'oma@example.org', 'iMessage'],
      ],
    },
    chat: {
      columns:
        'ROWID INTEGER PRIMARY KEY, guid TEXT, style INTEGER, chat_identifier TEXT, service_name ' +
        'TEXT, display_name TEXT',
      rows: [
        [1, 'iMessage;-;+41791234567', 45, '+41791234567', 'iMessage', ''],
        [2, 'iMessage;+;chat77', 43, 'chat77', 'iMessage', 'Familie'],
      ],
    },
    chat_handle_join: {
      columns: 'chat_id INTEGER, handle_id INTEGER',
      rows: [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
    },
    chat_message_join: {
      columns: 'chat_id INTEGER, message_id INTEGER',
      rows: [...rows.slice(0, 600).map((row): Cell[] => [1, row[0] ?? null]), [2, 700]],
    },
    attachment: {
      columns:
        'ROWID INTEGER PRIMARY KEY, guid TEXT, filename TEXT, mime_type TEXT, transfer_name TEXT, total_bytes INTEGER',
      rows: [
        [1, 'AT-1', '~/Library/SMS/Attachments/ab/11/Befund.pdf', 'application/pdf', 'Befund.pdf', 1200],
        [2, 'AT-2', '~/Library/SMS/Attachments/ab/12/roentgen.jpg', 'image/jpeg', 'roentgen.jpg', 9000],
      ],
    },
    message_attachment_join: {
      columns: 'message_id INTEGER, attachment_id INTEGER',
      rows: [
        [599, 1],
        [597, 2],
      ],
    },
  });
}

function photos(folder: string, count: number): Buffer {
  const assets = Array.from({ length: count }, (_, index): (string | number | null)[] => {
    const n = index + 1,
      [width, height] = SHAPES[n % SHAPES.length] ?? [400, 300];
    const at = new Date(Date.UTC(2025, 5, 1, 9) + Math.floor(index / 7) * 86_400_000 * 2 + (index % 7) * 600_000)
      .toISOString()
      .slice(0, 19);
    return [
      n,
      `PHOTO-${n}`,
      'DCIM/100APPLE',
      `IMG_${String(n).padStart(4, '0')}.JPG`,
      apple(at),
      apple(at),
      width,
      height,
      0,
      0,
      'public.jpeg',
      0,
      -180,
      -180,
      n % 9 === 0 ? 1 : 0,
      0,
      0,
    ];
  });
  return database(folder, {
    ZASSET: {
      columns:
        'Z_PK INTEGER PRIMARY KEY, ZUUID TEXT, ZDIRECTORY TEXT, ZFILENAME TEXT, ZDATECREATED REAL, ' +
        'ZADDEDDATE REAL, ZWIDTH INTEGER, ZHEIGHT INTEGER, ZKIND INTEGER, ZKINDSUBTYPE INTEGER, ' +
        'ZUNIFORMTYPEIDENTIFIER TEXT, ZDURATION REAL, ZLATITUDE REAL, ZLONGITUDE REAL, ZFAVORITE ' +
        'INTEGER, ZHIDDEN INTEGER, ZTRASHEDSTATE INTEGER',
      rows: assets,
    },
    ZADDITIONALASSETATTRIBUTES: {
      columns:
        'Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER, ZORIGINALFILENAME TEXT, ZTIMEZONEOFFSET INTEGER, ' +
        'ZORIGINALFILESIZE INTEGER',
      rows: assets.map((row): (string | number | null)[] => [
        Number(row[0]),
        Number(row[0]),
        String(row[3]),
        7200,
        20_000,
      ]),
    },
    ZGENERICALBUM: {
      columns: 'Z_PK INTEGER PRIMARY KEY, ZUUID TEXT, ZTITLE TEXT, ZKIND INTEGER, ZTRASHEDSTATE INTEGER',
      rows: [[1, 'ALBUM-1', 'Arztbriefe', 2, 0]],
    },
    Z_33ASSETS: {
      columns: 'Z_33ALBUMS INTEGER, Z_3ASSETS INTEGER, Z_FOK_3ASSETS INTEGER',
      rows: [
        [1, 1, 0],
        [1, 2, 1],
      ],
    },
  });
}
