/** Maximum length of a slug; leaves room for date, suffix and extension within 255 bytes. */
const SLUG_LENGTH = 60;

/**
 * Reserved device names of Windows, in any case and with any extension (Microsoft, "Naming Files, Paths, and
 * Namespaces").
 */
const DEVICE_NAME = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/** Whether a name opens a device instead of a file on Windows: `CON`, `nul.pdf`, `Com1.tar.gz`. */
export function isDeviceName(name: string): boolean {
  return DEVICE_NAME.test((name.split('.')[0] ?? '').trim());
}

/**
 * Letters that Unicode decomposition does not convert to the usual ASCII. German umlauts get an e; Greek follows ELOT
 * 743, Cyrillic BGN/PCGN, both simplified.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  å: 'a',
  ð: 'd',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŀ: 'l',
  ŋ: 'n',
  ŧ: 't',
  ſ: 's',
  ĸ: 'k',
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ё: 'yo',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
  є: 'ye',
  і: 'i',
  ї: 'yi',
  ґ: 'g',
  ђ: 'dj',
  ј: 'j',
  љ: 'lj',
  њ: 'nj',
  ћ: 'c',
  џ: 'dz',
  ў: 'u',
};

/** Converts a text to lower-case ASCII; letters of scripts without a table become spaces. */
function transliterate(text: string): string {
  const letters = [...text.normalize('NFC').toLowerCase()].map((letter) => LETTERS[letter] ?? letter).join('');
  // Drops combining marks: é → e + ◌́ → e.
  const bare = letters.normalize('NFKD').replace(/\p{M}/gu, '');
  return [...bare].map((letter) => LETTERS[letter] ?? letter).join('');
}

/**
 * Makes a name for folders and files: `Müller, José` → `mueller-jose`. At most 60 characters of a–z, 0–9 and dashes;
 * `fallback` instead of an empty name; never a device name.
 */
export function slugOf(text: string, fallback: string): string {
  const slug = transliterate(text)
    .replace(/['’`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  if (slug === '') return fallback;
  return isDeviceName(slug) ? `${slug}-file` : slug;
}
