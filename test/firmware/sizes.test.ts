import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { build, temporaryFolder } from '../../scripts/firmware-build/build.ts';
import { coreSize, sizeOfSymbol, symbols, virtualFunctions } from '../../scripts/firmware-build/image.ts';
import { stackOf } from '../../scripts/firmware-build/stack.ts';
import { crossBuild } from '../support/firmware.ts';
import { describeWith } from '../support/requirements.ts';

const KB = 1024;
const LIMITS = { text: 128 * KB, tables: 96 * KB, constants: 3 * KB, variables: 12 * KB, ram: 15 * KB, stack: 3 * KB };
const ALLOCATION =
  /^(malloc|calloc|realloc|free|_malloc_r|_free_r|_Zn[wa]|_Zd[la]|__cxa_(throw|allocate|guard)|_Unwind|sbrk|_sbrk)/;
const FLOAT = /^__(add|sub|mul|div|neg|fix|float|extend|trunc|cmp|eq|ne|lt|le|gt|ge|unord)\w*[sd]f/;

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeWith(crossBuild('lx106'), 'the core on an ESP8266', () => {
  let place: string;
  beforeAll(() => {
    writeFileSync(join(folder, 'none.pack'), '');
    place = build('lx106', folder, ['device'], { HEARTH_VECTORS: join(folder, 'none.pack') });
  });

  it('fits its flash and RAM', () => {
    const size = coreSize(join(place, 'device.map'));
    const objects = ['app_memory', 'screen_memory'].map((part) => sizeOfSymbol('lx106', join(place, 'device'), part));
    const variables = objects.reduce((sum, bytes) => sum + bytes, size.variables);
    process.stdout.write(
      `core on lx106: text ${size.text} of ${LIMITS.text}, tables ${size.tables} of ${LIMITS.tables}, ` +
        `constants ${size.constants} of ${LIMITS.constants}, static RAM ${variables} of ` +
        `${LIMITS.variables}\n`,
    );
    expect(size.text).toBeGreaterThan(30 * KB);
    expect(size.text).toBeLessThanOrEqual(LIMITS.text);
    expect(size.tables).toBeGreaterThan(10 * KB);
    expect(size.tables).toBeLessThanOrEqual(LIMITS.tables);
    expect(size.constants).toBeLessThanOrEqual(LIMITS.constants);
    expect(Math.min(...objects)).toBeGreaterThan(2 * KB);
    expect(variables).toBeLessThanOrEqual(LIMITS.variables);
    expect(variables + size.constants).toBeLessThanOrEqual(LIMITS.ram);
  });

  it('needs little stack for any call chain', () => {
    const core = join(place, 'CMakeFiles/core.dir');
    const virtuals = virtualFunctions('lx106', core);
    const report = stackOf(core, virtuals);
    process.stdout.write(
      `deepest stack on lx106: ${report.deepest.bytes} of ${LIMITS.stack}\n${report.deepest.path.map((step) => `  ${step}\n`).join('')}`,
    );
    expect(virtuals.size).toBeGreaterThan(5);
    expect(report.functions).toBeGreaterThan(200);
    expect(report.recursive).toEqual([]);
    expect(report.unbounded).toEqual([]);
    expect(report.deepest.bytes).toBeGreaterThan(KB);
    expect(report.deepest.bytes).toBeLessThanOrEqual(LIMITS.stack);
  });

  it('links no allocation, exception or floating-point code', () => {
    const linked = symbols('lx106', join(place, 'device'));
    expect(linked.length).toBeGreaterThan(300);
    expect(linked.filter((name) => (ALLOCATION.test(name) && name !== '_ZnwjPv') || FLOAT.test(name))).toEqual([]);
  });
});
