const VISIBLE_LENGTH = 4;
const MAX_DOTS = 8;

/** Masks a serial or telephone number except for its last characters: `••••••••0001`. */
export function maskIdentifier(text: string | null): string | null {
  if (text === null) return null;
  const dots = Math.max(0, Math.min(MAX_DOTS, text.length - VISIBLE_LENGTH));
  return `${'•'.repeat(dots)}${text.slice(-VISIBLE_LENGTH)}`;
}
