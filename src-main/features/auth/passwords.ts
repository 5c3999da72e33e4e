/** Number of the variant in the library's table. */
const ARGON2ID = 2;
/** argon2id with the first choice of OWASP's password storage cheat sheet: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of a password, whose native part is loaded with the first one: a start needs none. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hash(password.normalize('NFKC'), PARAMETERS);
}

/** Makes a hash to check when the user does not exist, so that both cases take the same time. */
export const decoyHash = (): Promise<string> => hashPassword('no such user');

/** Compares a password with a stored Argon2 hash, in NFKC. A hash that cannot be read matches none. */
export async function passwordMatches(stored: string, password: string): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  return verify(stored, password.normalize('NFKC')).catch(() => false);
}

/** The start of every list of leaked passwords, in the forms that have twelve characters (NIST SP 800-63B, 5.1.1.2). */
const COMMON = [
  'password',
  'passwort',
  'motdepasse',
  'letmein',
  'welcome',
  'willkommen',
  'qwerty',
  'qwertz',
  'azerty',
  'iloveyou',
  'administrator',
  'dragon',
  'monkey',
  'football',
  'superman',
  'sunshine',
  'princess',
  'trustno',
  'changeme',
  'secret',
  'hearth',
  'geheim',
  'hallo',
  'admin',
];
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '01234567890123456789',
  '98765432109876543210',
];

/**
 * Whether a password is among the first that an attacker tries: repeated or consecutive characters, common words with
 * digits, the user's own name.
 */
export function isGuessable(password: string, names: string[]): boolean {
  const lower = password.toLowerCase();
  if (new Set(lower).size < 5) return true;
  const core = lower.replace(/[\d\W_]+/g, '');
  const leftover = (word: string) => core.replaceAll(word, '');
  if (COMMON.some((word) => core.includes(word) && leftover(word).length <= 2)) return true;
  if (ROWS.some((row) => row.includes(lower.slice(0, 10)) && row.includes(lower.slice(-4)))) return true;
  return names.some((name) => name.length >= 3 && lower.replaceAll(name.toLowerCase(), '').length < 6);
}
