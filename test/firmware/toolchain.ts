import { missingPrograms } from '../../scripts/firmware-build/build.ts';

/** Why tests that need these programs cannot run here, or null. Where HEARTH_REQUIRE_FIRMWARE is set they must run, so it throws instead. */
export function reasonToSkip(programs: readonly string[]): string | null {
  const missing = missingPrograms(programs);
  if (missing.length === 0) return null;
  const reason = `not installed: ${missing.join(', ')}`;
  if (process.env['HEARTH_REQUIRE_FIRMWARE']) throw new Error(`HEARTH_REQUIRE_FIRMWARE is set, but ${reason}`);
  process.stdout.write(`firmware tests skipped, ${reason}\n`);
  return reason;
}

/** Index of the first byte that differs, -1 when none does: a failed comparison of 230,400 bytes must not print them. */
export const difference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) if (a[at] !== b[at]) return at;
  return -1;
};
