import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page, Response } from 'playwright-core';
import { build } from 'vite';
import { lineAround } from '../../src-renderer/client/snippet.ts';
import * as english from '../../src-renderer/locales/en.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Code and locale of the pseudo-language. Greek has the plural forms of English, and its dates and numbers contain no
 * Latin letter: every Latin letter outside of the marks is a text that was not translated.
 */
export const PSEUDO = { code: 'el', locale: 'el-GR' } as const;

/** A text in the pseudo-language: marked, and a third longer, as translations from English are. */
const pseudo = (text: string): string => `⟦${text}${'·'.repeat(Math.ceil(text.length / 3))}⟧`;

type Catalogue = { [key: string]: string | Catalogue };

const translated = (catalogue: Catalogue): Catalogue =>
  Object.fromEntries(
    Object.entries(catalogue).map(([key, text]) => [key, typeof text === 'string' ? pseudo(text) : translated(text)]),
  );

/** The English messages in the pseudo-language, with the same keys and placeholders. */
export function pseudoMessages(): english.Messages {
  return translated(english.messages as Catalogue) as unknown as english.Messages;
}

/** The texts of the recipient's page in the pseudo-language; some are functions, so the file makes them. */
const PSEUDO_RECIPIENT = `import { recipient as english } from './en.ts';
const pseudo = (text) => '⟦' + text + '·'.repeat(Math.ceil(text.length / 3)) + '⟧';
const translated = (text) =>
  typeof text === 'string' ? pseudo(text)
  : typeof text === 'function' ? (...values) => pseudo(text(...values))
  : Object.fromEntries(Object.entries(text).map(([key, one]) => [key, translated(one)]));
export const recipient = translated(english);
`;

export interface PseudoBuild {
  /** Lets every page of the context load the renderer with the pseudo-language, which is selected. */
  serveTo(context: BrowserContext, url: string): Promise<void>;
  remove(): void;
}

/** Builds a copy of the renderer to which one file was added: the catalogue of the pseudo-language. */
export async function buildWithPseudoLanguage(): Promise<PseudoBuild> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-pseudo-'));
  const output = join(folder, 'built');
  for (const name of [
    'src-renderer',
    'src-shared',
    'resources',
    'docs/licences.md',
    'package.json',
    'tsconfig.base.json',
  ])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const facts = { ...english.facts, name: pseudo('Pseudo'), locale: PSEUDO.locale, switch_to: pseudo('Switch') };
  writeFileSync(
    join(folder, 'src-renderer', 'locales', `${PSEUDO.code}.ts`),
    "import type { LanguageFacts, Messages } from './en.ts';\n" +
      `export const facts: LanguageFacts = ${JSON.stringify(facts)};\n` +
      `export const messages: Messages = ${JSON.stringify(pseudoMessages())};\n` +
      PSEUDO_RECIPIENT,
  );
  // Tests run as NODE_ENV=test, which would build React's slow development version.
  const { NODE_ENV: before } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      configFile: join(ROOT, 'vite.config.ts'),
      root: join(folder, 'src-renderer'),
      logLevel: 'error',
      build: { outDir: output },
    });
  } finally {
    process.env['NODE_ENV'] = before;
  }
  return {
    async serveTo(context, url) {
      await context.addInitScript((code) => localStorage.setItem('hearth.language', code), PSEUDO.code);
      const isRenderer = (address: URL): boolean =>
        address.origin === url && !address.pathname.startsWith('/api/') && address.pathname !== '/health';
      await context.route(isRenderer, async (route) => {
        const path = join(output, new URL(route.request().url()).pathname);
        const isFile = path !== output && existsSync(path) && !path.endsWith('/');
        await route.fulfill({ path: isFile ? path : join(output, 'index.html') });
      });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Elements without texts to translate: keys as printed on the keyboard, paths and identifiers, and proper names. */
const NOT_TRANSLATED = '[translate="no"], [lang]:not(html), kbd, .mono, script, style, noscript';

/**
 * The parts into which a text is split, in a page as in a value that it shows. A unit follows its number after a thin
 * space; a key is a letter in parentheses.
 */
const splitText = (text: string): string[] =>
  text
    .replace(/\u202f[^\s·]+|\([A-Z]\)/g, '')
    .split(/[·,()]| – |^– /)
    .map((part) => part.trim());

/** Keys of replies whose texts are words of Hearth, which the page must put in its own language. */
const WORDS_OF_HEARTH = new Set(['detail', 'message', 'error_message', 'auto_stop_reason', 'category', 'code']);
/** Keys whose texts are data although they look like codes. */
const NAMES = new Set(['path', 'name', 'username', 'canonical_code', 'unit']);

/** The texts as which a page shows a value: whole, or the part of it that the page is known to pick. */
function textsOf(value: string, key: string): string[] {
  if (key === 'user_agent') return [value, ...(value.match(/\p{Letter}+/gu) ?? [])];
  if (key === 'snippet') return [value, lineAround(value)].map((text) => text.replace(/[\uE000\uE001]/g, ''));
  if (key === 'unit') return [value, value.replace(/^count\//, '/')];
  // A title leaves out the legal form of a facility.
  if (key === 'facility_name') return [value, value.replace(/ (?:AG|GmbH)$/, '')];
  if (URL.canParse(value)) return [value, new URL(value).host];
  // A path is also shown as its last name, a file name without its ending, a note without its pictures and by lines.
  return [
    value,
    value.slice(value.lastIndexOf('/') + 1),
    value.replace(/\.[a-z\d]{2,5}$/i, ''),
    ...value.split('\uFFFC'),
    ...value.split(/[\n\uFFFC]/),
  ];
}

/** Adds the texts of a reply, which are data; but not codes such as `needs_review`, for which the page has words. */
export function addTextsOfData(texts: Set<string>, value: unknown, key = ''): void {
  if (typeof value === 'string' && !WORDS_OF_HEARTH.has(key) && (NAMES.has(key) || !/^[a-z_-]+$/.test(value)))
    for (const shown of textsOf(value, key)) for (const part of splitText(shown)) texts.add(part);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) addTextsOfData(texts, inner, Array.isArray(value) ? key : name);
}

/** The data of a reply; asks again for one that the browser no longer has, which happens on a busy machine. */
export async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    const request = response.request();
    if (request.method() !== 'GET') throw error;
    const headers = await request.allHeaders();
    return await (await response.frame().page().request.get(request.url(), { headers })).json();
  }
}

/** Texts of a page, shown or read aloud, that have a Latin letter outside of the marks of the pseudo-language. */
export async function findUnmarked(page: Page): Promise<string[]> {
  const texts = await page.evaluate((notTranslated) => {
    const ATTRIBUTES = ['placeholder', 'title', 'alt', 'aria-label', 'aria-description', 'aria-valuetext'];
    const found = new Set<string>();
    const add = (text: string): void => {
      let rest = text;
      for (let before = ''; before !== rest;) {
        before = rest;
        rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' · ');
      }
      found.add(rest);
    };
    const isRead = (element: Element): boolean =>
      element.closest(notTranslated) === null && element.checkVisibility({ visibilityProperty: true });
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement: element, data } = texts.currentNode as Text;
      if (!element || !isRead(element)) continue;
      // A text with highlighted words is one text, in a span for each of them.
      const whole = (element.closest('mark')?.parentElement ?? element).parentElement;
      add(whole?.querySelector(':scope > span > mark') ? (whole.textContent ?? '') : data);
    }
    for (const name of ATTRIBUTES)
      for (const element of document.body.querySelectorAll(`[${name}]`))
        if (isRead(element)) add(element.getAttribute(name) ?? '');
    return [...found];
  }, NOT_TRANSLATED);
  return texts.flatMap(splitText).filter((part) => /\p{Script=Latin}/u.test(part));
}
