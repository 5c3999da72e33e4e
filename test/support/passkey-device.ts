import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

/** What the flags of authenticator data say (WebAuthn Level 3, 6.1). */
const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, hasCredential: 0x40 };

interface Ceremony {
  challenge: string;
  /** Page that asks. */
  origin: string;
  rpId: string;
}
interface Lies {
  /** The person was not asked for fingerprint, face or PIN. */
  unverified?: boolean;
  counter?: number;
  type?: string;
  userHandle?: string;
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** CBOR of byte strings and texts (RFC 8949, 3); of lengths below 65536. */
const head = (major: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
};
const bytes = (data: Buffer): Buffer => Buffer.concat([head(2, data.length), data]);
const text = (data: string): Buffer => Buffer.concat([head(3, data.length), Buffer.from(data)]);
const map = (...entries: Buffer[][]): Buffer => Buffer.concat([head(5, entries.length), ...entries.flat()]);
const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));

/** COSE_Key of ES256 (RFC 9053, 7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return map(
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), bytes(Buffer.from(x, 'base64url'))],
    [integer(-3), bytes(Buffer.from(y, 'base64url'))],
  );
}

/** An authenticator with one passkey. It answers as a browser sends it, and falsely if a test asks for that. */
export function createPasskeyDevice() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  let userHandle = '';
  let counter = 0;
  const clientData = ({ challenge, origin }: Ceremony, type: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (rpId: string, flags: number, count: number, credential = Buffer.alloc(0)): Buffer => {
    const fixed = Buffer.alloc(5);
    fixed.writeUInt8(flags);
    fixed.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(rpId), fixed, credential]);
  };
  const flagsOf = ({ unverified = false }: Lies): number => FLAGS.present | (unverified ? 0 : FLAGS.verified);
  const common = { id: base64url(credentialId), rawId: base64url(credentialId), type: 'public-key' };
  return {
    id: common.id,
    /** Answers `navigator.credentials.create`. */
    register(ceremony: Ceremony, handle: string, lies: Lies = {}) {
      userHandle = handle;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)]);
      const flags = flagsOf(lies) | FLAGS.hasCredential | FLAGS.backupEligible | FLAGS.backedUp;
      const attestation = map(
        [text('fmt'), text('none')],
        [text('attStmt'), map()],
        [text('authData'), bytes(authenticatorData(ceremony.rpId, flags, counter, credential))],
      );
      return {
        ...common,
        response: {
          clientDataJSON: base64url(clientData(ceremony, lies.type ?? 'webauthn.create')),
          attestationObject: base64url(attestation),
          transports: ['internal', 'hybrid'],
        },
      };
    },
    /** Answers `navigator.credentials.get`. */
    answer(ceremony: Ceremony, lies: Lies = {}) {
      counter += 1;
      const flags = flagsOf(lies) | FLAGS.backupEligible | FLAGS.backedUp;
      const data = authenticatorData(ceremony.rpId, flags, lies.counter ?? counter);
      const client = clientData(ceremony, lies.type ?? 'webauthn.get');
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey);
      return {
        ...common,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: lies.userHandle ?? userHandle,
        },
      };
    },
  };
}
export type PasskeyDevice = ReturnType<typeof createPasskeyDevice>;
