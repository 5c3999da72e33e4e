import type { LayoutPage } from '../layout/layout.ts';
import type { DateLabel } from './date-mention.ts';

/** Words of the line above that may begin a clause. */
const MAX_WORDS_ABOVE = 7;

/**
 * A clause about the patient whom the writer saw, whatever was done, or a sentence with the name: "Ihren Patienten, den
 * ich am 3. Mai 2024 …", "que j’ai coloscopée le", "ich untersuchte Herrn Boldt am".
 */
export function clauseBefore(
  page: LayoutPage,
  { index, s, first }: { index: number; s: number; first: number },
): DateLabel | null {
  const own = page.lines[index]?.segments[s]?.words.slice(0, first) ?? [];
  const above = s === 0 ? (page.lines[index - 1]?.segments.at(-1)?.words.slice(-MAX_WORDS_ABOVE) ?? []) : [];
  const [clause] = CLAUSE.exec([...above, ...own].map(({ text }) => text).join(' ')) ?? [];
  return clause === undefined ? null : { role: 'visit', text: clause.trim(), strength: 0.8 };
}
const CLAUSE = new RegExp(
  [
    String.raw`(?<!\p{L})(?:(?:den|die|welche[nrs]?) (?:ich|wir) (?:\p{Ll}+ ){0,2}am|`,
    String.raw`que (?:j['’]ai|nous avons) (?:\p{Ll}+ ){1,4}le|che (?:ho|abbiamo) (?:\p{Ll}+ ){1,4}(?:il|in data)|`,
    String.raw`whom (?:I|we) (?:\p{Ll}+ ){1,4}on|`,
    String.raw`(?:(?:[Ii]ch|[Ww]ir) (?:sah|sahen|untersuchten?|begutachteten?)|(?:sah|untersuchte) ich|`,
    String.raw`(?:sahen|untersuchten) wir) (?:[\p{L}.-]+ ){0,6}am|`,
    String.raw`(?:I|[Ww]e) (?:saw|reviewed|examined|assessed|met) (?:[\p{L}.'’-]+ ){0,6}on|`,
    String.raw`(?:[Jj]['’]ai|[Nn]ous avons) (?:re)?(?:vu|reçu|examiné)e? (?:[\p{L}.'’-]+ ){0,6}le|`,
    String.raw`(?:[Hh]o|[Aa]bbiamo) (?:ri)?(?:visitato|visto|valutato) (?:[\p{L}.'’-]+ ){0,6}(?:il|in data))$`,
  ].join(''),
  'u',
);
