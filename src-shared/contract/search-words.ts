/**
 * The words of a search line that the API understands, separated by spaces: `or` between alternatives, and the prefixes
 * (`doctor:anna`) by the part of a document in which they search. The page translates those of its languages to the
 * first word of each.
 */
export const SEARCH_WORDS = {
  or: 'OR',
  title: 'title name file',
  body: 'text body',
  english: 'english summary',
  people: 'doctor people facility patient',
  labels: 'label tag type specialty test diagnosis medicine',
} as const;
export type SearchWord = keyof typeof SEARCH_WORDS;

/** A term of a search line: `-doctor:"Anna Weber"*` → minus, prefix, quoted or bare text. */
export const SEARCH_TERM = /(-)?(?:([\p{L}]+):)?(?:"([^"]*)"?|([^\s"]+))/gu;
