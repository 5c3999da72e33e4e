/** Dimensions of words besides the first one, which is that of the subject. */
const WORDS = 48;
const WEIGHT = 12;

/** A vector of a text: its words, and whether it is about the subject, in whichever words. */
export function vectorAbout(subject: RegExp): (text: string) => number[] {
  return (text) => {
    const vector = [subject.test(text) ? WEIGHT : 0, ...Array.from({ length: WORDS }, () => 0)];
    for (const word of text.toLowerCase().match(/\p{L}{2,}/gu) ?? []) {
      let hash = 7;
      for (const letter of word) hash = (hash * 31 + letter.codePointAt(0)!) % 100_003;
      vector[1 + (hash % WORDS)]! += 1;
    }
    return vector;
  };
}
