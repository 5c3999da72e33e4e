import { isDeviceName } from './slug.ts';

const MAX_CHARACTERS = 200;
/** ext4, APFS and NTFS limit names to 255 bytes or units; a collision suffix must still fit. */
const MAX_BYTES = 240;

/** C0, DEL, C1, zero-width and directional marks (Unicode Bidi_Control), line separators, and lone surrogates. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;
/** Characters that Windows does not allow in names. Linux does, but the vault may be copied to a Windows disk. */
const FORBIDDEN = /[<>:"|?*]/g;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** `scan.2.PDF` → [`scan.2`, `.PDF`]; an extension has at most 12 characters and no spaces. */
export function splitExtension(name: string): [stem: string, extension: string] {
  const match = /^(.+)(\.[^.\s]{1,12})$/su.exec(name);
  return match ? [match[1]!, match[2]!] : [name, ''];
}

function shorten(stem: string, extension: string): string {
  const letters = [...stem].slice(0, Math.max(1, MAX_CHARACTERS - [...extension].length));
  while (letters.length > 1 && bytesOf(letters.join('') + extension) > MAX_BYTES) letters.pop();
  return letters.join('').replace(/[. ]+$/, '') + extension;
}

/**
 * Returns a safe name for an external name: `..\\x/Ber‮icht .pdf. ` → `Bericht .pdf`. Uses only the last component, in
 * NFC, without control or directional characters, trailing dots or spaces, or device names; at most 200 characters and
 * 240 bytes with the extension; `fallback` if nothing remains.
 */
export function safeFileName(original: string, fallback: string = 'document'): string {
  const last =
    original
      .normalize('NFC')
      .split(/[/\\]/)
      .findLast((part) => part.replace(INVISIBLE, '').replace(/[. ]/g, '') !== '') ?? '';
  const visible = last
    .replace(INVISIBLE, '')
    .replace(FORBIDDEN, '_')
    .replace(/\s+/g, ' ')
    .replace(/^ +/, '')
    .replace(/[. ]+$/, '');
  // An extension alone is not a name, and a leading dot would hide the file.
  const [stem, extension] = splitExtension(
    /^\.[^.\s]{1,12}$/.test(visible) ? `${fallback}${visible}` : visible.replace(/^\.+(?=.)/, ''),
  );
  if (stem.replace(/[. ]/g, '') === '') return fallback + extension;
  const named = isDeviceName(stem)
    ? `${stem.split('.')[0]}-file${stem.slice((stem.split('.')[0] ?? '').length)}`
    : stem;
  return shorten(named, extension);
}
