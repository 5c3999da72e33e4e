import { create, type Font } from 'fontkit';

export type FaceName = 'regular' | 'bold' | 'emoji' | 'symbols';
/** What is drawn as one, its face, and its width in em. */
export interface Sign {
  text: string;
  face: FaceName;
  width: number;
}
/** Bytes of the fonts that come with the page. */
export type FontFiles = Readonly<Record<FaceName, Uint8Array>>;

/** Scripts that people write to each other in and no face here has, by ISO 15924. */
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
/** Script code of characters of unknown scripts. */
const OTHER = 'Zzzz';
/** Invisible characters: control characters, direction marks, soft hyphens, object markers. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffc]/g;
/** Where a character is one sign by itself; others are put together first. */
const PLAIN =
  /^[\t\n -~\u00a0-\u02af\u0370-\u0373\u0376-\u0377\u037b-\u03ff\u0400-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e]*$/;
const JOINERS = /\u200c|\u200d|\ufe0e|\ufe0f/g,
  JOINER = /^(\u200c|\u200d|\ufe0e|\ufe0f|\u20e3)$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Normalizes text for rendering: composed, without invisible characters. Wide spaces stay, tabs become spaces. */
export const toRenderableText = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNSEEN, '')
    .replace(/\t/g, '    ');

/** The fonts of a PDF: which of them has a character, and how wide it is. */
export class FontSet {
  readonly fonts: Readonly<Record<FaceName, Font>>;
  /** How often a text could not be set, by script. */
  readonly missing: Record<string, number> = {};
  readonly #signs = { regular: new Map<string, Sign>(), bold: new Map<string, Sign>() };
  readonly #names: Intl.DisplayNames;

  constructor(files: FontFiles, language: string) {
    this.fonts = {
      regular: plain(fontOf(files.regular)),
      bold: plain(fontOf(files.bold)),
      emoji: fontOf(files.emoji),
      symbols: plain(fontOf(files.symbols)),
    };
    this.#names = new Intl.DisplayNames([language], { type: 'script' });
  }

  /** A text as signs; a stretch of a script that no face has becomes the name of that script in angle quotes. */
  signsOf(text: string, weight: 'regular' | 'bold' = 'regular'): Sign[] {
    const signs: Sign[] = [];
    let lacking: string | null = null;
    for (const part of PLAIN.test(text) ? text : Array.from(segmenter.segment(text), ({ segment }) => segment)) {
      const sign = this.#sign(part, weight);
      if (sign) {
        if (part.trim() !== '' || part === '\n') lacking = null;
        signs.push(sign);
        continue;
      }
      const script = scriptOf(part);
      if (script === lacking) continue;
      lacking = script;
      this.missing[script] = (this.missing[script] ?? 0) + 1;
      for (const letter of `‹${this.scriptName(script)}›`)
        signs.push(this.#sign(letter, weight) ?? { text: '?', face: weight, width: 0.6 });
    }
    return signs;
  }

  scriptName(script: string): string {
    return this.#names.of(script) ?? script;
  }

  #sign(part: string, weight: 'regular' | 'bold'): Sign | null {
    const known = this.#signs[weight].get(part);
    if (known) return known;
    const made = this.#make(part, weight);
    if (made) this.#signs[weight].set(part, made);
    return made;
  }

  #make(part: string, weight: 'regular' | 'bold'): Sign | null {
    if (part === '\n') return { text: part, face: weight, width: 0 };
    const asEmoji = part.includes('\ufe0f') || /\p{Emoji_Presentation}/u.test(part);
    for (const face of asEmoji ? (['emoji', weight, 'symbols'] as const) : ([weight, 'symbols', 'emoji'] as const)) {
      const font = this.fonts[face];
      // Joiners are for a face that knows the whole sign; others show its parts.
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
  return SCRIPTS.find(([, pattern]) => pattern.test(part))?.[0] ?? OTHER;
}

/** The types of the library know Node's buffers only; it takes any bytes. */
const fontOf = (bytes: Uint8Array): Font => create(bytes as Parameters<typeof create>[0]) as Font;

/** One glyph for each character: letters that need no shaping are set ten times as fast. Combining marks are still placed by the font. */
function plain(font: Font): Font {
  const shaped = font.layout.bind(font);
  const known = new Map<number, { id: number; advanceWidth: number; codePoints: number[] }>();
  const glyphOf = (codePoint: number) => {
    const before = known.get(codePoint);
    if (before) return before;
    const { id, advanceWidth } = font.glyphForCodePoint(codePoint);
    const glyph = { id, advanceWidth, codePoints: [codePoint] };
    known.set(codePoint, glyph);
    return glyph;
  };
  const layout = (text: string) => {
    if (/\p{M}/u.test(text)) return shaped(text);
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
