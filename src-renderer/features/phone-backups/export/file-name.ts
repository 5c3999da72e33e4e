const MAX_LENGTH = 120;
/** Names that Windows keeps for devices, also with an ending (learn.microsoft.com, "Naming files"). */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;

/** A name that every file system takes: no separators, no control characters, no reserved name, not too long; its ending stays. */
export function safeName(text: string): string {
  const plain = trimmed(
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '_'),
  );
  const end = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? '';
  const short =
    plain.length <= MAX_LENGTH
      ? plain
      : trimmed(plain.slice(0, MAX_LENGTH - end.length).replace(/[\ud800-\udbff]$/, '')) + end;
  return short === '' || RESERVED.test(short) ? `_${short}` : short;
}

/** Windows drops dots and spaces at the end; a dot at the beginning hides a file elsewhere. */
const trimmed = (text: string): string => text.replace(/^[. ]+|[. ]+$/g, '');

/** Makes a path for an archive: each part is a safe name, and the path can't leave the archive. */
export const safePath = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(safeName)
    .join('/') || '_';

/** Two files of one name keep both, the second with a number, also where only the case differs or one is called like a folder of another. */
export function unique(names: readonly string[]): string[] {
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
