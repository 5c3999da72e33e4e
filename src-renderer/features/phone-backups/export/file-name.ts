const LONGEST = 120;

/** A name that every file system takes: no separators, no control characters, no reserved name, not too long. */
export function safeName(text: string): string {
  const plain = text.normalize('NFC').replace(/[\u0000-\u001f\u007f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]/g, '_').replace(/^[. ]+|[. ]+$/g, '').slice(0, LONGEST).trim();
  return plain === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain) ? `_${plain}` : plain;
}

/** A path inside of an archive: every part safe, nothing that leads out. */
export const safePath = (path: string): string => path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..').map(safeName).join('/') || '_';
