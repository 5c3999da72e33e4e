/** Characters of a file name. */
const MAX_LENGTH = 120;
/** Names that Windows reserves for devices, also with an extension (learn.microsoft.com, "Naming files"). */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;

/**
 * Makes a name that every file system accepts: no separators, control characters or reserved names, and not too long.
 * Keeps the extension.
 */
export function safeName(text: string): string {
  const cleaned = trimDots(
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '_'),
  );
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(cleaned)?.[0] ?? '';
  const shortened =
    cleaned.length <= MAX_LENGTH
      ? cleaned
      : trimDots(cleaned.slice(0, MAX_LENGTH - extension.length).replace(/[\ud800-\udbff]$/, '')) + extension;
  return shortened === '' || RESERVED.test(shortened) ? `_${shortened}` : shortened;
}

/** Windows drops dots and spaces at the end; on other systems, a dot at the start hides a file. */
const trimDots = (text: string): string => text.replace(/^[. ]+|[. ]+$/g, '');

/** Makes a path for an archive: each part is a safe name, and the path can't leave the archive. */
export const safePath = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(safeName)
    .join('/') || '_';

/** Numbers duplicate names. Names that differ only in case, or equal a folder of another name, are duplicates too. */
export function makeUnique(names: readonly string[]): string[] {
  const usedNames = new Set(names.flatMap((name) => foldersOf(name.toLowerCase())));
  return names.map((name) => {
    const dot = name.lastIndexOf('.'),
      [stem, end] = dot > name.lastIndexOf('/') + 1 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let free = name;
    for (let number = 2; usedNames.has(free.toLowerCase()); number++) free = `${stem} (${number})${end}`;
    usedNames.add(free.toLowerCase());
    return free;
  });
}

/** `a/b/c` → `a`, `a/b`. */
const foldersOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));
