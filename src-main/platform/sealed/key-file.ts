import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { UnlockedKeys } from '../kernel/process-keys.ts';
import { formatRecoveryKey, parseRecoveryKey } from './recovery-key.ts';

/** Number of the variant in the library's table. */
const ARGON2ID = 2;
const SECRET_BYTES = 32;
const ID_BYTES = 16;
/**
 * argon2id with the second choice of RFC 9106, 4: 64 MiB, 3 passes, 4 lanes. The file is attacked offline, so it costs
 * more than the password of an account.
 */
const PASSWORD_COST = { memory: 65_536, passes: 3, lanes: 4 };

const base64 = z.base64().max(200);
/** argon2 takes no shorter salt (RFC 9106, 3.1). */
const MIN_SALT_BYTES = 8;
const salt = base64.refine((text) => Buffer.from(text, 'base64').length >= MIN_SALT_BYTES);
const keyFile = z.strictObject({
  format: z.literal(1),
  /** Names the secret, whatever it is wrapped by. Files that were written before it existed have none. */
  id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  /** While the vault is being encrypted or decrypted, some of its files are sealed and others are not. */
  state: z.enum(['encrypting', 'on', 'decrypting']),
  password: z.strictObject({
    salt,
    // Bounds, so that a foreign file can't take all memory.
    memory: z.int().min(8192).max(1_048_576),
    passes: z.int().min(1).max(20),
    lanes: z.int().min(1).max(16),
    secret: base64,
  }),
  recovery: z.strictObject({ secret: base64 }),
});
/** What is stored beside an encrypted vault: its secret, wrapped by the password and by the recovery key. */
export type KeyFile = z.output<typeof keyFile>;

/** Makes the secret of a vault. The recovery key is shown once and stored nowhere. */
export async function createKeyFile(password: string): Promise<{ file: KeyFile; recoveryKey: string }> {
  const secret = randomBytes(SECRET_BYTES);
  const recovery = randomBytes(SECRET_BYTES);
  return {
    file: {
      format: 1,
      id: randomBytes(ID_BYTES).toString('hex'),
      state: 'on',
      password: await wrapByPassword(secret, password),
      recovery: { secret: wrap(recoveryWrapKey(recovery), secret) },
    },
    recoveryKey: formatRecoveryKey(recovery),
  };
}

/**
 * Names the secret in a key file, also after another password or recovery key. Where none is stored, a hash of what the
 * recovery key wraps does: those files never got another one.
 */
export const idOfKeyFile = ({ id, recovery }: KeyFile): string =>
  id ??
  createHash('sha256')
    .update(recovery.secret)
    .digest('hex')
    .slice(0, 2 * ID_BYTES);

/** Throws `NewerKeyFile`, and a ZodError or a SyntaxError for what is not a key file. */
export function parseKeyFile(text: string): KeyFile {
  const stored: unknown = JSON.parse(text);
  if (isNewer(stored)) throw new NewerKeyFile();
  return keyFile.parse(stored);
}

const isNewer = (stored: unknown): boolean => Number((stored as { format?: unknown } | null)?.format) > 1;

/** A newer version of the program has written the key file in a form of its own. */
export class NewerKeyFile extends Error {
  readonly code = 'vault.key_file_newer';

  constructor() {
    super('This vault was encrypted by a newer version of Hearth. Install that version or newer.');
    this.name = 'NewerKeyFile';
  }
}

/** Returns null for a wrong password. */
export async function unlockByPassword({ password: stored }: KeyFile, password: string): Promise<UnlockedKeys | null> {
  return keysOf(unwrap(await passwordWrapKey(password, stored), stored.secret));
}

/** Returns null for a wrong recovery key. */
export function unlockByRecoveryKey({ recovery }: KeyFile, typed: string): UnlockedKeys | null {
  const key = parseRecoveryKey(typed);
  return key === null ? null : keysOf(unwrap(recoveryWrapKey(key), recovery.secret));
}

/** The same vault under another password; null if the given proof is wrong. */
export async function changePassword(
  file: KeyFile,
  proof: { password: string } | { recoveryKey: string },
  password: string,
): Promise<KeyFile | null> {
  const recovery = 'recoveryKey' in proof ? parseRecoveryKey(proof.recoveryKey) : null;
  const secret =
    'password' in proof
      ? unwrap(await passwordWrapKey(proof.password, file.password), file.password.secret)
      : recovery && unwrap(recoveryWrapKey(recovery), file.recovery.secret);
  return secret && { ...file, password: await wrapByPassword(secret, password) };
}

/**
 * The same vault under another recovery key, which is shown once and stored nowhere; the previous one does not open the
 * returned file. Null for a wrong password.
 */
export async function changeRecoveryKey(
  file: KeyFile,
  password: string,
): Promise<{ file: KeyFile; recoveryKey: string } | null> {
  const secret = unwrap(await passwordWrapKey(password, file.password), file.password.secret);
  if (secret === null) return null;
  const recovery = randomBytes(SECRET_BYTES);
  return {
    file: { ...file, id: idOfKeyFile(file), recovery: { secret: wrap(recoveryWrapKey(recovery), secret) } },
    recoveryKey: formatRecoveryKey(recovery),
  };
}

async function wrapByPassword(secret: Uint8Array, password: string): Promise<KeyFile['password']> {
  const parameters = { salt: randomBytes(16).toString('base64'), ...PASSWORD_COST };
  return { ...parameters, secret: wrap(await passwordWrapKey(password, parameters), secret) };
}

async function passwordWrapKey(
  password: string,
  { salt, memory, passes, lanes }: Omit<KeyFile['password'], 'secret'>,
): Promise<Buffer> {
  const { hashRaw } = await import('@node-rs/argon2');
  return hashRaw(password.normalize('NFKC'), {
    algorithm: ARGON2ID,
    salt: Buffer.from(salt, 'base64'),
    memoryCost: memory,
    timeCost: passes,
    parallelism: lanes,
    outputLen: SECRET_BYTES,
  });
}

const derive = (secret: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `hearth vault ${purpose}`, 32));
const recoveryWrapKey = (recovery: Uint8Array): Buffer => derive(recovery, 'recovery');

const keysOf = (secret: Buffer | null): UnlockedKeys | null =>
  secret && { files: derive(secret, 'files'), database: derive(secret, 'database') };

/** AES-256-GCM: nonce, ciphertext, tag. */
function wrap(key: Uint8Array, secret: Uint8Array): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

function unwrap(key: Uint8Array, wrapped: string): Buffer | null {
  const bytes = Buffer.from(wrapped, 'base64');
  if (bytes.length !== 12 + SECRET_BYTES + 16) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  } catch {
    return null;
  }
}
