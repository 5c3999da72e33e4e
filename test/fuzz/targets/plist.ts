import { BackupError, isKeyedArchive, readPlist, unarchive } from '../../../src-shared/ios-backup/index.ts';
import { Archive, binaryPlist, Reference, xmlPlist, type Plist } from '../../fixtures/ios-backup/plist-writer.ts';
import { hostilePlists } from '../../fixtures/ios-backup/hostile-plists.ts';
import type { FuzzTarget } from '../target.ts';

const refuses = (error: unknown): boolean => error instanceof BackupError && error.code === 'damaged_plist';

const SAMPLE: Plist = {
  text: 'plain',
  accents: 'Schlüssel 🔑',
  yes: true,
  small: 7,
  negative: -9,
  large: 2n ** 62n,
  real: 0.25,
  when: new Date(1_700_000_000_000),
  data: new Uint8Array([1, 2, 3, 255]),
  list: [1, 'two', [3, { four: 4 }]],
  nothing: '',
  long: 'a'.repeat(300),
};

function archiveOf(): Uint8Array {
  const archive = new Archive();
  const keys = ['name', 'when', 'tags'].map((key) => archive.add(key));
  const date = archive.instance(['NSDate', 'NSObject'], { 'NS.time': 721_692_800.5 });
  const tags = archive.instance(['NSMutableArray', 'NSArray', 'NSObject'], {
    'NS.objects': [archive.add('one'), archive.add('two'), new Reference(0)],
  });
  const uuid = archive.instance(['NSUUID', 'NSObject'], { 'NS.uuidbytes': new Uint8Array(16).fill(7) });
  const values = [archive.instance(['NSMutableString', 'NSString', 'NSObject'], { 'NS.string': 'Ann' }), date, tags];
  const dictionary = archive.instance(['NSDictionary', 'NSObject'], { 'NS.keys': keys, 'NS.objects': values });
  return archive.bytes(
    archive.instance(['Contact', 'NSObject'], {
      dictionary,
      uuid,
      data: archive.instance(['NSData', 'NSObject'], { 'NS.data': new Uint8Array([1, 2]) }),
      age: 41,
    }),
  );
}

export const binaryPlists: FuzzTarget = {
  name: 'binary-plist',
  seeds: () => [binaryPlist(SAMPLE), binaryPlist([]), ...hostilePlists().map(({ bytes }) => bytes)],
  read: readPlist,
  refuses,
};

export const xmlPlists: FuzzTarget = {
  name: 'xml-plist',
  seeds: () => [
    xmlPlist(SAMPLE),
    Buffer.from(
      '<plist version="1.0"><dict><key>a</key><!-- c --><string><![CDATA[<b>]]>&#x41;&amp;</string></dict></plist>',
    ),
    Buffer.from(
      '<!DOCTYPE plist [<!ENTITY a ' +
        '"b">]><plist><array><data>AAEC</data><date>2024-02-29T10:00:00Z</date><real>nan</real></array></plist>',
    ),
  ],
  read: readPlist,
  refuses,
};

export const keyedArchives: FuzzTarget = {
  name: 'keyed-archive',
  seeds: () => [archiveOf()],
  refuses,
  read(bytes) {
    const value = readPlist(bytes);
    return isKeyedArchive(value) ? unarchive(value) : null;
  },
};
