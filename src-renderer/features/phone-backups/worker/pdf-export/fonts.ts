import { create, type Font } from 'fontkit';

export type FaceName = 'regular' | 'bold' | 'emoji' | 'symbols';
/** A grapheme that is drawn as one, its font, and its width in em. */
export interface Sign {
  text: string;
  face: FaceName;
  width: number;
}
/** Bytes of the bundled fonts. */
export type FontFiles = Readonly<Record<FaceName, Uint8Array>>;

/** Common scripts that no bundled font has, by their ISO 15924 code. */
const SCRIPTS: readonly (readonly [code: string, pattern: RegExp])[] = (
  [
    ['Arab', 'Arabic'],
    ['Hebr', 'Hebrew'],
    ['Hani', 'Han'],
    ['Hira', 'Hiragana'],
    ['Kana', 'Katakana'],
    ['Hang', 'Hangul'],
    ['Thai', 'Thai'],
    ['Deva', 'Devanagari'],
    ['Beng', 'Bengali'],
    ['Taml', 'Tamil'],
    ['Telu', 'Telugu'],
    ['Guru', 'Gurmukhi'],
    ['Gujr', 'Gujarati'],
    ['Knda', 'Kannada'],
    ['Mlym', 'Malayalam'],
    ['Sinh', 'Sinhala'],
    ['Mymr', 'Myanmar'],
    ['Khmr', 'Khmer'],
    ['Laoo', 'Lao'],
    ['Tibt', 'Tibetan'],
    ['Geor', 'Georgian'],
    ['Armn', 'Armenian'],
    ['Ethi', 'Ethiopic'],
    ['Mong', 'Mongolian'],
  ] as const
).map(([code, name]) => [code, new RegExp(`\\p{Script_Extensions=${name}}`, 'u')]);
/** ISO 15924 code for characters of unknown scripts. */
const UNKNOWN_SCRIPT = 'Zzzz';
/** Invisible characters: control characters, direction marks, soft hyphens, object markers. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffc]/g;
/** Text in which each character is a sign; other text is segmented into graphemes. */
const SIMPLE =
  /^[\t\n -~\u00a0-\u02af\u0370-\u0373\u0376-\u0377\u037b-\u03ff\u0400-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e]*$/;
const JOINERS = /\u200c|\u200d|\ufe0e|\ufe0f/g,
  JOINER = /^(\u200c|\u200d|\ufe0e|\ufe0f|\u20e3)$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Normalizes text for rendering: composed, without invisible characters, tabs as spaces. */
export const toRenderableText = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '')
    .replace(/\t/g, '    ');

/** The fonts of a PDF: finds the font that has a character, and its width. */
export class FontSet {
  readonly fonts: Readonly<Record<FaceName, Font>>;
  /** How many runs of text no font could render, by script. */
  readonly missing: Record<string, number> = {};
  readonly #signs = { regular: new Map<string, Sign>(), bold: new Map<string, Sign>() };
  readonly #names: Intl.DisplayNames;

  constructor(files: FontFiles, language: string) {
    this.fonts = {
      regular: withFastLayout(fontOf(files.regular)),
      bold: withFastLayout(fontOf(files.bold)),
      emoji: fontOf(files.emoji),
      symbols: withFastLayout(fontOf(files.symbols)),
    };
    this.#names = new Intl.DisplayNames([language], { type: 'script' });
  }

  /** Splits text into signs. A run of a script that no font has becomes the name of the script in angle quotes. */
  signsOf(text: string, weight: 'regular' | 'bold' = 'regular'): Sign[] {
    const signs: Sign[] = [];
    let missingScript: string | null = null;
    for (const part of SIMPLE.test(text) ? text : Array.from(segmenter.segment(text), ({ segment }) => segment)) {
      const sign = this.#signOf(part, weight);
      if (sign) {
        if (part.trim() !== '' || part === '\n') missingScript = null;
        signs.push(sign);
        continue;
      }
      const script = scriptOf(part);
      if (script === missingScript) continue;
      missingScript = script;
      this.missing[script] = (this.missing[script] ?? 0) + 1;
      for (const letter of `‹${this.scriptName(script)}›`)
        signs.push(this.#signOf(letter, weight) ?? { text: '?', face: weight, width: 0.6 });
    }
    return signs;
  }

  scriptName(script: string): string {
    return this.#names.of(script) ?? script;
  }

  #signOf(part: string, weight: 'regular' | 'bold'): Sign | null {
    const cached = this.#signs[weight].get(part);
    if (cached) return cached;
    const sign = this.#createSign(part, weight);
    if (sign) this.#signs[weight].set(part, sign);
    return sign;
  }

  #createSign(part: string, weight: 'regular' | 'bold'): Sign | null {
    if (part === '\n') return { text: part, face: weight, width: 0 };
    const asEmoji = part.includes('\ufe0f') || /\p{Emoji_Presentation}/u.test(part);
    for (const face of asEmoji ? (['emoji', weight, 'symbols'] as const) : ([weight, 'symbols', 'emoji'] as const)) {
      const font = this.fonts[face];
      // Only the emoji font has joined signs; the others render the parts.
      const text = face === 'emoji' ? part : part.replace(JOINERS, '');
      if (
        text !== '' &&
        Array.from(text).every((each) => JOINER.test(each) || font.hasGlyphForCodePoint(each.codePointAt(0) ?? 0))
      )
        return { text, face, width: font.layout(text).advanceWidth / font.unitsPerEm };
    }
    return null;
  }
}

function scriptOf(part: string): string {
  return SCRIPTS.find(([, pattern]) => pattern.test(part))?.[0] ?? UNKNOWN_SCRIPT;
}

/** The types of the library allow only Node's buffers, but it accepts any bytes. */
const fontOf = (bytes: Uint8Array): Font => create(bytes as Parameters<typeof create>[0]) as Font;

/**
 * Lays out one glyph for each character, which is ten times as fast as shaping. Text with combining marks is still
 * shaped by the font.
 */
function withFastLayout(font: Font): Font {
  const shape = font.layout.bind(font);
  const glyphCache = new Map<number, { id: number; advanceWidth: number; codePoints: number[] }>();
  const glyphOf = (codePoint: number) => {
    const cached = glyphCache.get(codePoint);
    if (cached) return cached;
    const { id, advanceWidth } = font.glyphForCodePoint(codePoint);
    const glyph = { id, advanceWidth, codePoints: [codePoint] };
    glyphCache.set(codePoint, glyph);
    return glyph;
  };
  const layout = (text: string) => {
    if (/\p{M}/u.test(text)) return shape(text);
    const glyphs = Array.from(text, (letter) => glyphOf(letter.codePointAt(0) ?? 0));
    const positions = glyphs.map(({ advanceWidth }) => ({
      xAdvance: advanceWidth,
      yAdvance: 0,
      xOffset: 0,
      yOffset: 0,
    }));
    return {
      glyphs,
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
  return Object.assign(font, { layout });
}
