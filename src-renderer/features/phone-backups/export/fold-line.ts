const LONGEST = 75;
const encoder = new TextEncoder();

/** Breaks a content line after 75 octets, never inside a character (RFC 5545 3.1, RFC 6350 3.2). */
export function foldLine(line: string): string {
  let folded = '', length = 0;
  for (const character of line) {
    const octets = encoder.encode(character).length;
    if (length + octets > LONGEST) { folded += '\r\n '; length = 1; }
    folded += character;
    length += octets;
  }
  return folded;
}

/** Text of a value (RFC 5545 3.3.11, RFC 6350 3.4). */
export const escapeText = (text: string): string => text.replace(/\\/g, '\\\\').replace(/;/g, '\\;').replace(/,/g, '\\,').replace(/\r\n|\r|\n/g, '\\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
