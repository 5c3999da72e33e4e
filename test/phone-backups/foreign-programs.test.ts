import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hasRequirements } from '../support/requirements.ts';
import { isKeyedArchive, readPlist, unarchive, type PlistValue } from '../../src-shared/ios-backup/index.ts';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { binaryPlist, xmlPlist, type Plist } from '../fixtures/ios-backup/plist-writer.ts';
import { backupShelf, bytesOf, BACKUP_PASSWORD } from '../support/phone-backups.ts';

const shelf = backupShelf(),
  scratch = mkdtempSync(join(tmpdir(), 'hearth-foreign-'));
afterAll(() => {
  shelf.remove();
  rmSync(scratch, { recursive: true, force: true });
});

const HAS_PROGRAMS = hasRequirements('backups checked by other programs', {
  programs: ['plistutil', 'openssl', 'sqlite3'],
});

function plistutil(bytes: Uint8Array, format: 'xml' | 'bin'): Buffer {
  const file = join(scratch, 'in.plist'),
    out = join(scratch, 'out.plist');
  writeFileSync(file, bytes);
  execFileSync('plistutil', ['-i', file, '-f', format, '-o', out]);
  return readFileSync(out);
}

const openssl = (args: string[], input?: Uint8Array): Buffer =>
  execFileSync('openssl', args, { input, maxBuffer: 1 << 28 });
const derive = (digest: string, pass: Buffer, salt: Buffer, rounds: number): Buffer =>
  openssl([
    'kdf',
    '-binary',
    '-keylen',
    '32',
    '-kdfopt',
    `digest:${digest}`,
    '-kdfopt',
    `hexpass:${pass.toString('hex')}`,
    '-kdfopt',
    `hexsalt:${salt.toString('hex')}`,
    '-kdfopt',
    `iter:${rounds}`,
    'PBKDF2',
  ]);
const unwrap = (by: Buffer, wrapped: Buffer): Buffer =>
  openssl(['enc', '-d', '-id-aes256-wrap', '-nopad', '-K', by.toString('hex'), '-iv', 'A6A6A6A6A6A6A6A6'], wrapped);
const decrypt = (key: Buffer, bytes: Buffer): Buffer =>
  openssl(['enc', '-d', '-aes-256-cbc', '-nopad', '-K', key.toString('hex'), '-iv', '0'.repeat(32)], bytes);

/** `<key>NAME</key> … <data>BASE64</data>` of plistutil's XML. */
const dataOf = (xml: string, name: string): Buffer =>
  Buffer.from(new RegExp(`<key>${name}</key>\\s*<data>([^<]*)</data>`).exec(xml)?.[1] ?? '', 'base64');

/** Values of a keybag's tags, the class keys by class. */
function tagsOf(bag: Buffer): { header: Map<string, Buffer>; wrapped: Map<number, Buffer> } {
  const header = new Map<string, Buffer>(),
    wrapped = new Map<number, Buffer>();
  let current = 0;
  for (let at = 0; at < bag.length; at += 8 + bag.readUInt32BE(at + 4)) {
    const tag = bag.toString('latin1', at, at + 4),
      value = bag.subarray(at + 8, at + 8 + bag.readUInt32BE(at + 4));
    if (tag === 'CLAS') current = value.readUInt32BE();
    else if (tag === 'WPKY') wrapped.set(current, value);
    else if (!header.has(tag)) header.set(tag, value);
  }
  return { header, wrapped };
}

describe.skipIf(!HAS_PROGRAMS)('other programs', () => {
  const SAMPLE: Plist = {
    text: 'plain',
    accents: 'Schlüssel 🔑 & <b>',
    yes: true,
    no: false,
    n: [0, 1, 127, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 40, -1, -300],
    real: 0.25,
    when: new Date(1_700_000_000_000),
    data: Buffer.from([0, 1, 254, 255]),
    deep: { list: [[], {}, [['x']]] },
    long: 'a'.repeat(70_000),
  };

  it.each([
    ['binary', binaryPlist],
    ['XML', xmlPlist],
  ])('read our %s plists as we do, and we read theirs', (_, write) => {
    const ours = write(SAMPLE),
      expected = readPlist(ours);
    expect(readPlist(plistutil(ours, 'xml'))).toEqual(expected);
    expect(readPlist(plistutil(ours, 'bin'))).toEqual(expected);
    expect(expected).toMatchObject({ ...SAMPLE, data: new Uint8Array([0, 1, 254, 255]) } as object);
  });

  it.each([true, false])(
    'unlock and read a generated backup (double protection: %s) with openssl, plistutil and sqlite3 alone',
    async (double) => {
      const content = Buffer.from(Array.from({ length: 10_007 }, (_, i) => i % 251));
      const made = await shelf.make({
        entries: [
          { domain: 'HomeDomain', path: 'Library/a file.bin', content, protectionClass: 2 },
          { domain: 'HomeDomain', path: 'Library', flags: 2 },
        ],
        keybag: { password: BACKUP_PASSWORD, rounds: 1000, ...(double && { firstRounds: 2000 }) },
      });
      const manifest = plistutil(readFileSync(join(made.folder, 'Manifest.plist')), 'xml').toString();
      const { header, wrapped } = tagsOf(dataOf(manifest, 'BackupKeyBag')),
        number = (tag: string): number => header.get(tag)!.readUInt32BE();
      const first = double
        ? derive('SHA256', Buffer.from(BACKUP_PASSWORD), header.get('DPSL')!, number('DPIC'))
        : Buffer.from(BACKUP_PASSWORD);
      const derived = derive('SHA1', first, header.get('SALT')!, number('ITER'));
      const manifestKey = dataOf(manifest, 'ManifestKey');
      const db = join(scratch, 'Manifest.db');
      writeFileSync(
        db,
        decrypt(
          unwrap(unwrap(derived, wrapped.get(manifestKey.readUInt32LE())!), manifestKey.subarray(4)),
          readFileSync(join(made.folder, 'Manifest.db')),
        ),
      );
      const sql = (statement: string): string => execFileSync('sqlite3', [db, statement]).toString().trim();
      expect(sql('PRAGMA integrity_check')).toBe('ok');
      expect(sql('SELECT relativePath, flags FROM Files ORDER BY 1')).toBe('Library|2\nLibrary/a file.bin|1');
      const id = sql('SELECT fileID FROM Files WHERE flags = 1'),
        record = Buffer.from(sql(`SELECT hex(file) FROM Files WHERE fileID = '${id}'`), 'hex');
      expect(id).toBe(
        execFileSync('openssl', ['dgst', '-sha1', '-r'], { input: 'HomeDomain-Library/a file.bin' })
          .toString()
          .split(' ')[0],
      );
      const described = plistutil(record, 'xml').toString(),
        keys = [...described.matchAll(/<key>NS\.data<\/key>\s*<data>([^<]*)<\/data>/g)].map((match) =>
          Buffer.from(match[1]!, 'base64'),
        );
      const stored = keys.find((key) => key.length === 44)!;
      expect([/<key>Size<\/key>\s*<integer>(\d+)</.exec(described)?.[1], stored.readUInt32LE()]).toEqual(['10007', 2]);
      const plain = decrypt(
        unwrap(unwrap(derived, wrapped.get(2)!), stored.subarray(4)),
        readFileSync(join(made.folder, id.slice(0, 2), id)),
      );
      expect(plain.subarray(0, content.length)).toEqual(content);

      const open = await (await made.open()).unlock(BACKUP_PASSWORD);
      expect(await bytesOf(open, 'HomeDomain', 'Library/a file.bin')).toEqual(plain.subarray(0, content.length));
      expect((await open.entry(fileIdOf('HomeDomain', 'Library/a file.bin'))).protectionClass).toBe(2);
    },
  );

  it('agree about a keyed archive in XML and in binary', async () => {
    const made = await shelf.make({ entries: [{ domain: 'D', path: 'p', content: 'x' }] }),
      db = join(made.folder, 'Manifest.db');
    const record = Buffer.from(execFileSync('sqlite3', [db, 'SELECT hex(file) FROM Files']).toString().trim(), 'hex');
    const binary = readPlist(record),
      xml = readPlist(plistutil(record, 'xml'));
    expect([isKeyedArchive(binary), isKeyedArchive(xml)]).toEqual([true, true]);
    const unfolded = unarchive(binary) as Record<string, PlistValue>;
    expect(unarchive(xml)).toEqual(unfolded);
    expect(unfolded).toMatchObject({ $class: 'MBFile', Size: 1, RelativePath: 'p' });
  });
});
