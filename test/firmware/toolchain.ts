/**
 * Index of the first byte that differs, -1 when none does: a failed comparison of 230,400 bytes must not print them.
 */
export const difference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) if (a[at] !== b[at]) return at;
  return -1;
};
