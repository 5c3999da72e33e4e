import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const CLOCK = new URL('./clock.ts', import.meta.url).href;
const dayIn = (zone: string, moment: string): string =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { toCivilDate } = await import(${JSON.stringify(CLOCK)}); process.stdout.write(toCivilDate(Date.parse(${JSON.stringify(moment)})))`,
    ],
    { env: { ...process.env, TZ: zone }, encoding: 'utf8' },
  ).stdout;

describe('the civil date', () => {
  it.each([
    ['Europe/Zurich', '2026-03-01T23:30:00Z', '2026-03-02'],
    ['Europe/Zurich', '2026-07-01T21:59:59Z', '2026-07-01'],
    ['America/Los_Angeles', '2026-01-01T07:59:00Z', '2025-12-31'],
    ['Pacific/Auckland', '2026-01-01T12:00:00Z', '2026-01-02'],
    ['UTC', '2026-01-01T23:59:59Z', '2026-01-01'],
  ])('in %s at %s is %s, also just after midnight', (zone, moment, day) => {
    expect(dayIn(zone, moment)).toBe(day);
  });
});
