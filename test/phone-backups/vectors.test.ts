import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { webCrypto } from '../../src-shared/ios-backup/index.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const ascii = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const shown = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('hex');

/** RFC 3394, 4.1 to 4.6: key that wraps, key, wrapped. */
const KEK = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const DATA = '00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f';
const WRAPS: [kekBytes: number, keyBytes: number, wrapped: string][] = [
  [16, 16, '1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5'],
  [24, 16, '96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d'],
  [32, 16, '64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7'],
  [24, 24, '031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2'],
  [32, 24, 'a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1'],
  [32, 32, '28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21'],
];

/** RFC 6070 (SHA-1; its line of 16 777 216 rounds is left to the benchmark) and RFC 7914, 11 (SHA-256). */
const DERIVATIONS: ['sha1' | 'sha256', password: string, salt: string, rounds: number, length: number, key: string][] =
  [
    ['sha1', 'password', 'salt', 1, 20, '0c60c80f961f0e71f3a9b524af6012062fe037a6'],
    ['sha1', 'password', 'salt', 2, 20, 'ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957'],
    ['sha1', 'password', 'salt', 4096, 20, '4b007901b765489abead49d926f721d065a429c1'],
    [
      'sha1',
      'passwordPASSWORDpassword',
      'saltSALTsaltSALTsaltSALTsaltSALTsalt',
      4096,
      25,
      '3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038',
    ],
    ['sha1', 'pass\0word', 'sa\0lt', 4096, 16, '56fa6aa75548099dcc37d7f03425e0c3'],
    [
      'sha256',
      'passwd',
      'salt',
      1,
      64,
      '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef' +
        '317c71b845b1e30bd509112041d3a19783',
    ],
    [
      'sha256',
      'Password',
      'NaCl',
      80_000,
      64,
      '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b3' +
        '176a272bdebba1d078478f62b397f33c8d',
    ],
  ];

/** NIST SP 800-38A, F.2.2, F.2.4, F.2.6: key and cipher text of the same four blocks. */
const PLAIN =
  '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff6' +
  '9f2445df4f9b17ad2b417be66c3710';
const IV = '000102030405060708090a0b0c0d0e0f';
const CBC: [key: string, cipher: string][] = [
  [
    '2b7e151628aed2a6abf7158809cf4f3c',
    '7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6b8e3c1743b7116e69e22229516' +
      '3ff1caa1681fac09120eca307586e1a7',
  ],
  [
    '8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b',
    '4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a571b242012fb7ae07fa9baac3df102e0' +
      '08b0e27988598881d920a9e64f5615cd',
  ],
  [
    '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
    'f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d39f23369a9d9bacfa530e26304231461' +
      'b2eb05e2c39be9fcda6c19078c6a9d1b',
  ],
];

describe.each([
  ['node', nodeCrypto],
  ['web', webCrypto],
] as const)('the cryptography of %s agrees with', (_, crypto) => {
  it.each(WRAPS)('RFC 3394: %i bytes unwrap %i', async (kekBytes, keyBytes, wrapped) => {
    const kek = hex(KEK).subarray(0, kekBytes),
      bytes = hex(wrapped);
    expect(shown(await crypto.unwrapKey(kek, bytes))).toBe(DATA.slice(0, keyBytes * 2));
    for (let bit = 0; bit < 8; bit += 1) {
      const broken = bytes.map((byte, i) => (i === (bit * 5) % bytes.length ? byte ^ (1 << bit) : byte));
      expect(await crypto.unwrapKey(kek, broken)).toBeNull();
    }
    expect(
      await crypto.unwrapKey(
        kek.map((byte) => byte ^ 1),
        bytes,
      ),
    ).toBeNull();
  });

  it.each(DERIVATIONS)('PBKDF2 with %s of %j, %j, %i rounds', async (hash, password, salt, rounds, length, key) => {
    expect(shown(await crypto.pbkdf2(hash, ascii(password), ascii(salt), rounds, length))).toBe(key);
  });

  it.each(CBC)('SP 800-38A with the key %s, whole and from every block', async (key, cipher) => {
    const cbc = await crypto.cbcKey(hex(key)),
      bytes = hex(cipher);
    expect(shown(await cbc.decrypt(hex(IV), bytes))).toBe(PLAIN);
    for (const at of [16, 32, 48])
      expect(shown(await cbc.decrypt(bytes.subarray(at - 16, at), bytes.subarray(at)))).toBe(PLAIN.slice(at * 2));
  });

  it('FIPS 180-4: SHA-1 of abc', async () => {
    expect(shown(await crypto.sha1(ascii('abc')))).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
  });
});
