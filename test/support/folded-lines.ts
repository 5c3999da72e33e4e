import { expect } from 'vitest';

/** Texts that vCard, iCalendar and CSV have to escape. */
export const TEXTS_TO_ESCAPE = ['a;b', 'x,y', 'back\\slash', 'line\nbreak', 'ä 👩🏽‍⚕️ שלום', '"quoted"', ''];

/** Expects lines of at most 75 octets that all end with CR LF (RFC 5545, 3.1; RFC 6350, 3.2). */
export function expectFolded(text: string): void {
  expect(text.endsWith('\r\n')).toBe(true);
  expect(text.replace(/\r\n/g, '')).not.toMatch(/[\r\n]/);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
}
