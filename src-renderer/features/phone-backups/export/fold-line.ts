const MAX_OCTETS = 75;

/** The octets of a character in UTF-8. */
const octetsOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
};

/** Breaks a content line after 75 octets, never inside a character (RFC 5545 3.1, RFC 6350 3.2). */
export function foldLine(line: string): string {
  const parts: string[] = [];
  let part = '',
    length = 0;
  for (const character of line) {
    const octets = octetsOf(character);
    if (length + octets > MAX_OCTETS) {
      parts.push(part);
      part = '';
      length = 1;
    }
    part += character;
    length += octets;
  }
  return [...parts, part].join('\r\n ');
}

/** Escapes the text of a value (RFC 5545, 3.3.11; RFC 6350, 3.4). */
export const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\\/g, '\\\\')
    .replace(/;/g, '\\;')
    .replace(/,/g, '\\,')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

/** Quotes the value of a parameter (RFC 6868: characters that are not allowed are written with a caret). */
export const quoteParameter = (text: string): string =>
  `"${text
    .toWellFormed()
    .replace(/\^/g, '^^')
    .replace(/"/g, "^'")
    .replace(/\r\n|\r|\n/g, '^n')
    .replace(/[\u0000-\u001f\u007f]/g, '')}"`;
