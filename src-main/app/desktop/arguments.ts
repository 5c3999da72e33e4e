import { LINKED_PATH, PAGES } from '../../../src-shared/contract/commands.ts';

export const LINK_SCHEME = 'hearth';
const MAX_LINK = 200;

/**
 * The page of a `hearth://documents/12` link; null for anything else. Links come from anywhere, so they can only open
 * pages, without parameters.
 */
export function pathOfLink(link: string): string | null {
  if (link.length > MAX_LINK || !URL.canParse(link)) return null;
  const { protocol, host, pathname, search, hash, username, password, port } = new URL(link);
  if (protocol !== `${LINK_SCHEME}:` || search + hash + username + password + port !== '') return null;
  const path = `/${host}${pathname === '/' ? '' : pathname}`;
  return LINKED_PATH.test(path) || PAGES.some(({ to }) => to === path) ? path : null;
}

/** What the system passes on when it opens files or a link with Hearth: `--` flags are Hearth's own. */
export function parseOpened(words: readonly string[]): { files: string[]; path: string | null } {
  const rest = words.filter((word) => !word.startsWith('-'));
  const isLink = (word: string): boolean => word.toLowerCase().startsWith(`${LINK_SCHEME}:`);
  const paths = rest.filter(isLink).map(pathOfLink);
  return { files: rest.filter((word) => !isLink(word)), path: paths.find((path) => path !== null) ?? null };
}
