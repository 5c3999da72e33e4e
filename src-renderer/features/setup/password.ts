/** Password strength from 0 (too short) to 4 by length and variety; the server decides. */
export function strengthOf(password: string, names: readonly string[]): 0 | 1 | 2 | 3 | 4 {
  if (password.length < 12) return 0;
  const plain = password.toLowerCase();
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length;
  const distinct = new Set(plain).size;
  if (
    distinct < 6 ||
    names.some((name) => name.length > 3 && plain.includes(name.toLowerCase())) ||
    /^(.{1,4})\1+$/.test(plain)
  )
    return 1;
  const score = password.length + kinds * 3 + Math.min(8, distinct - 6);
  if (score >= 36) return 4;
  return score >= 27 ? 3 : 2;
}
