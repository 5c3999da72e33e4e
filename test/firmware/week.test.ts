/** @module-tag long */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { buildFirmware, FIRMWARE, SIMULATOR } from '../support/firmware.ts';
import { itWith } from '../support/requirements.ts';

const run = promisify(execFile);
const GOLDEN = join(FIRMWARE, 'test/golden/week.txt');

describe('a week of a device with outages, in virtual time', () => {
  itWith(SIMULATOR, 'breaks no rule, and shows exactly the recorded changes', async () => {
    const week = join(buildFirmware('ticker-week'), 'sim/ticker-week');
    // Exit code 1 when a rule did not hold; its lines begin with BROKEN. A wanted change: sim/ticker-week >
    // firmware/test/golden/week.txt
    const { stdout } = await run(week, { maxBuffer: 2 ** 26 }).catch((error: { stdout: string }) => ({
      stdout: error.stdout,
    }));
    expect(stdout.split('\n').filter((line) => line.startsWith('BROKEN'))).toEqual([]);
    expect(stdout.split('\n')).toEqual(readFileSync(GOLDEN, 'utf8').split('\n'));
    expect(stdout).toContain(' 0 rules broken');
  });
});
