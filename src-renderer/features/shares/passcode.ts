const DIGITS = 8;
const GROUP = 4;
/** The largest multiple of ten that fits into a byte: bytes above it would make some digits more likely. */
const FAIR = 250;

/** A passcode of eight random digits in two groups, to be read aloud: `4821 9037`. */
export function suggestPasscode(random: (bytes: Uint8Array<ArrayBuffer>) => void = fill): string {
  let digits = '';
  const bytes = new Uint8Array(2 * DIGITS);
  while (digits.length < DIGITS) {
    random(bytes);
    for (const byte of bytes) if (byte < FAIR && digits.length < DIGITS) digits += String(byte % 10);
  }
  return `${digits.slice(0, GROUP)} ${digits.slice(GROUP)}`;
}

const fill = (bytes: Uint8Array<ArrayBuffer>): void => void crypto.getRandomValues(bytes);
