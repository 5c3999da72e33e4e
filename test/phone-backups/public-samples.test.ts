/** @module-tag long */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { nodeBackupFiles } from '../../src-main/features/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import { openBackup, webCrypto } from '../../src-shared/ios-backup/index.ts';
import { textOfTypedStream } from '../../src-shared/ios-backup/artifacts/typedstream.ts';
import { readKeybag, unlockKeybag } from '../../src-shared/ios-backup/manifest/keybag.ts';
import { binaryPlist } from '../fixtures/ios-backup/plist-writer.ts';

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const u32 = (value: number): Buffer => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
const tag = (name: string, value: Buffer | number): Buffer => {
  const bytes = typeof value === 'number' ? u32(value) : value;
  return Buffer.concat([Buffer.from(name), u32(bytes.length), bytes]);
};
const uuid = (byte: number): Buffer => tag('UUID', Buffer.alloc(16, byte));
const classKey = (number: number, wrap: number, wrapped: Buffer): Buffer =>
  Buffer.concat([uuid(number), tag('CLAS', number), tag('WRAP', wrap), tag('KTYP', 0), tag('WPKY', wrapped)]);

/**
 * `WPKY*ITER*SALT*DPIC*DPSL` of one class key, with its password, as hashcat (modes 14700, 14800) writes them. The
 * first of each kind
 * are hashcat's own examples; the others are of phones that were given to the public as puzzles: a backup of iOS 9
 * (Hackvent 2020,
 * day 20) and one with the rounds of newer releases (Longxin cup 2024). Source:
 * https://hashcat.net/wiki/doku.php?id=example_hashes and solutions of those puzzles.
 */
const CLASS_KEYS: [of: string, password: string, values: string][] = [
  [
    'before iOS 10.2',
    'hashcat',
    'b8e3f3a970239b22ac199b622293fe4237b9d16e74bad2c3c3568cd1bd3c471615a6c4f867265642*10000*454226374' +
      '0587424862267232255853830404566',
  ],
  [
    'a phone with iOS 9',
    '20201225',
    '892dba473d7ad9486741346d009b0deeccd32eea6937ce67070a0500b723c871a454a81e569f95d9*10000*0834c7493' +
      'b056222d7a7e382a69c0c6a06649d9a',
  ],
  [
    'since iOS 10.2',
    'hashcat',
    '17a3b858e79bc273be43a9f113b71efe7ec8e7e401396b350180b4592ef45db67ffef7b2d64329a5*10000*272133678' +
      '1705041205314422175267631184867*1000*99fafc983e732998adb9fadc162a2e382143f115',
  ],
  [
    'a phone with 10 000 000 rounds',
    '75966',
    '626711969caae23df508e651fa071254593d97384e76fed148cd0f3958e0beace281310f49cdc019*10000*f4aa09135' +
      'e119c474548436d29bd9830242b3cb5*10000000*6ba58ebbae1fed3cb11e0e8b4ce6d49be0282e11',
  ],
];

describe('published class keys', () => {
  it.each(CLASS_KEYS)('unwraps that of %s with its password', async (of, password, values) => {
    const [wrapped = '', rounds, salt = '', firstRounds, firstSalt] = values.split('*');
    const header = [
      tag('VERS', 3),
      tag('TYPE', 1),
      uuid(0),
      tag('WRAP', 0),
      tag('SALT', hex(salt)),
      tag('ITER', Number(rounds)),
      ...(firstSalt === undefined
        ? []
        : [tag('DPWT', 0), tag('DPIC', Number(firstRounds)), tag('DPSL', hex(firstSalt))]),
    ];
    const bag = readKeybag(Buffer.concat([...header, classKey(11, 3, hex(wrapped))]));
    await expect(unlockKeybag(bag, password, nodeCrypto)).resolves.toBeDefined();
    if (of.startsWith('a phone with 10 000 000 rounds')) return;
    await expect(unlockKeybag(bag, password, webCrypto)).resolves.toBeDefined();
    await expect(unlockKeybag(bag, `${password}1`, nodeCrypto)).rejects.toMatchObject({ code: 'wrong_password' });
  });
});

/**
 * A whole backup as https://github.com/matan1008/pyiosbackup has it in its tests: keybag with the real counts,
 * Manifest.mbdb, one file.
 */
const WRAPPED_ZEROS = hex('528c9c5171bf8bef1ea397cf29d2a838c90529df02a6ad2f823a1c6f3a5b2040e2a309c520c6a2ab');
const FILE_KEY = '9731749434 3807e690fd1e431413963dc0e3deb4907fb89fa36ce65126d0ea1301381fb3a2941e2f';
const MBDB = hex(`
  ${hexOf('mbdb')} 0500 000c ${hexOf('MyTestDomain')} 000e ${hexOf('Media/Test.txt')} ffff ffff 002c 04000000 ${FILE_KEY}
  81ed 00000000000012d8 000001f5 000001f5 610a911f 610a914d 6108ed24 0000000000000009 04 00`);
const TEST_FILE = '5727bd1c5fa1055e15d8b4a75a74793c84b5ffdc';

describe('a sample backup of another project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-sample-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('opens with its password, lists and decrypts', async () => {
    const zeros = Buffer.alloc(20);
    const bag = Buffer.concat([
      tag('VERS', 5),
      tag('TYPE', 1),
      uuid(0),
      tag('HMCK', Buffer.alloc(40)),
      tag('WRAP', 0),
      tag('SALT', zeros),
      tag('ITER', 10_000),
      tag('DPWT', 1),
      tag('DPIC', 10_000_000),
      tag('DPSL', zeros),
      ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((number) =>
        classKey(number, number > 8 || number === 5 ? 3 : 2, WRAPPED_ZEROS),
      ),
    ]);
    writeFileSync(
      join(folder, 'Manifest.plist'),
      binaryPlist({ BackupKeyBag: bag, IsEncrypted: true, Lockdown: { ProductVersion: '9.0.1' } }),
    );
    writeFileSync(join(folder, 'Manifest.mbdb'), MBDB);
    writeFileSync(join(folder, TEST_FILE), hex('78b51ca537 4c3ad5751742 88688cda49'));
    for (const name of ['Info.plist', 'Status.plist']) writeFileSync(join(folder, name), binaryPlist({}));
    mkdirSync(join(folder, 'sandbox'));
    const open = await (
      await openBackup({
        files: nodeBackupFiles(folder),
        sqlite: nodeSqlite(join(folder, 'sandbox')),
        crypto: nodeCrypto,
      })
    ).unlock('0000');
    expect((await open.entries()).items).toEqual([
      {
        fileId: TEST_FILE,
        domain: 'MyTestDomain',
        relativePath: 'Media/Test.txt',
        flags: 1,
        kind: 'file',
        size: 9,
        modifiedAt: 1_628_082_463,
        protectionClass: 4,
        encrypted: true,
      },
    ]);
    expect(await open.entry(TEST_FILE)).toMatchObject({ mode: 33_261, createdAt: 1_627_974_948, target: null });
    const content = await open.content(TEST_FILE);
    expect(Buffer.from(await content.read(0, content.size)).toString()).toBe('Test data');
  });
});

/**
 * Messages as phones and Macs archived them (NSArchiver of macOS 26 among them), with their content: test data of
 * public projects, most of them descendants of https://github.com/ReagentX/imessage-exporter.
 */
const STRING =
  '040b73747265616d747970656481e803840140848484124e5341747472696275746564537472696e67008484084e534f62' +
  '6a656374008592848484084e53537472696e67019484012b';
const MUTABLE =
  '040b73747265616d747970656481e803840140848484194e534d757461626c6541747472696275746564537472696e6700' +
  '8484124e5341747472696275746564537472696e67008484084e534f626a6563740085928484840f4e534d757461626c65' +
  '537472696e67018484084e53537472696e67019584012b';
const PART =
  '8484840c4e5344696374696f6e617279009484016901928496961d5f5f6b494d4d65737361676550617274417474726962' +
  '7574654e616d658692848484084e534e756d626572008484074e5356616c7565009484012a84999900868686';
const ARCHIVED: [text: string, bytes: string][] = [
  [
    'Hello, world',
    `${STRING}0c48656c6c6f2c20776f726c648684026949010c928484840c4e5344696374696f6e6172790094840169008686`,
  ],
  [
    'Café ☕️ déjà vu — 日本語',
    `${STRING}24436166c3a920e29895efb88f2064c3a96ac3a020767520e2809420e697a5e69cace8aa9e8684026949011` +
      '5928484840c4e5344696374696f6e6172790094840169008686',
  ],
  ['', `${STRING}008686`],
  [
    'line one\nline two\ttabbed',
    `${STRING}186c696e65206f6e650a6c696e652074776f0974616262656486840269490118928484840c4e53446963746` +
      '96f6e6172790094840169008686',
  ],
  [
    '\uFFFC',
    `${MUTABLE}03efbfbc86840269490101928484840c4e5344696374696f6e61727900958401690192849898225f5f6b49` +
      '4d46696c655472616e73666572475549444174747269627574654e616d6586928498982961745f305f41424344454631' +
      '322d333435362d373839302d414243442d454631323334353637383930868686',
  ],
  [
    'before BOLD after',
    `${MUTABLE}116265666f726520424f4c4420616674657286840269490107928484840c4e5344696374696f6e61727900` +
      '9584016901928498981d5f5f6b494d4d657373616765506172744174747269627574654e616d658692848484084e534e' +
      '756d626572008484074e5356616c7565009584012a848401719f00868699020492849a9b02929b929c928498980a4e53' +
      '466f6e7453697a658692849d9e84840164a0830000000000803140868699030692849a9b01929b929c8686',
  ],
  [
    'see https://example.com now',
    `${MUTABLE}1b7365652068747470733a2f2f6578616d706c652e636f6d206e6f7786840269490104928484840c4e5344` +
      '696374696f6e6172790095840169008699021392849a9b0192849898165f5f6b494d4c696e6b4174747269627574654e' +
      '616d6586928498981368747470733a2f2f6578616d706c652e636f6d868699010486',
  ],
  ['Sooooo good ', `${STRING}0c536f6f6f6f6f20676f6f64208684026949010c92${PART}`],
  ['Loved “Coming!”', `${STRING}134c6f76656420e2809c436f6d696e6721e2809d8684026949010f92${PART}`],
  [
    'I think Zoë really wants to see it',
    `${STRING}2349207468696e6b205a6fc3ab207265616c6c792077616e747320746f20736565206974868402694901229` +
      '28484840c4e5344696374696f6e61727900948401690292849696265f5f6b494d4261736557726974696e67446972656' +
      '374696f6e4174747269627574654e616d658692848484084e534e756d626572008484074e5356616c7565009484012a8' +
      '48401719dff86928496961d5f5f6b494d4d657373616765506172744174747269627574654e616d658692849b9c9d9d0' +
      '0868686',
  ],
  [
    'Not sure if I’ll make it, but if you chat with him you can tell him that I personally ' +
      'contributed at least 100 pageviews to his OpenClaw docker TIL post 😅',
    `${STRING}819f004e6f7420737572652069662049e280996c6c206d616b652069742c2062757420696620796f7520636` +
      '8617420776974682068696d20796f752063616e2074656c6c2068696d2074686174204920706572736f6e616c6c79206' +
      '36f6e7472696275746564206174206c65617374203130302070616765766965777320746f20686973204f70656e436c6' +
      `17720646f636b65722054494c20706f737420f09f9885868402694901819b0092${PART}`,
  ],
  [
    'Этот абонент снова в сети. билайн',
    `${MUTABLE}3cd0add182d0bed18220d0b0d0b1d0bed0bdd0b5d0bdd18220d181d0bdd0bed0b2d0b020d0b220d181d0b5` +
      'd182d0b82e20d0b1d0b8d0bbd0b0d0b9d0bd86840269490121928484840c4e5344696374696f6e617279009584016901' +
      '928498981d5f5f6b494d4d657373616765506172744174747269627574654e616d658692848484084e534e756d626572' +
      '008484074e5356616c7565009584012a849b9b00868686',
  ],
  [
    'بانک سامان\nخريد\nمبلغ 12,500,000 ريال\nرمز 483920',
    Buffer.from(
      'BAtzdHJlYW10eXBlZIHoA4QBQISEhBJOU0F0dHJpYnV0ZWRTdHJpbmcAhIQITlNPYmplY3QAhZKEhIQITlNTdHJpbmcBlI' +
        'QBK0fYqNin2YbaqSDYs9in2YXYp9mGCtiu2LHZitivCtmF2KjZhNi6IDEyLDUwMCwwMDAg2LHZitin2YQK2LHZhdiyIDQ4' +
        'MzkyMIaEAmlJAS+ShISEDE5TRGljdGlvbmFyeQCUhAFpAIaG',
      'base64',
    ).toString('hex'),
  ],
];

describe('published messages', () => {
  it.each(ARCHIVED)('reads %j', (text, bytes) => {
    expect(textOfTypedStream(hex(bytes))).toBe(text);
    for (let cut = 0; cut < hex(bytes).length; cut += 1)
      expect([null, text]).toContain(textOfTypedStream(hex(bytes).subarray(0, cut)));
  });
});
