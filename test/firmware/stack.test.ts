import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { coreSize } from '../../scripts/firmware-build/image.ts';
import { stackOf } from '../../scripts/firmware-build/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-stack-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Calls = Record<string, { frame: number; kind?: string; calls: string[] }>;
const graph = (functions: Calls): void => {
  mkdirSync(folder, { recursive: true });
  const lines = Object.entries(functions).flatMap(([name, { frame, kind = 'static', calls }]) => [
    `node: { title: "${name}" label: "void ${name}()\\n/a/b.cpp:1:1\\n${frame} bytes (${kind})" }`,
    ...calls.map((target) => `edge: { sourcename: "${name}" targetname: "${target}" label: "/a/b.cpp:2:2" }`),
  ]);
  writeFileSync(join(folder, 'a.ci'), lines.join('\n'));
};

it('the stack report adds up the deepest chain, not the widest', () => {
  graph({
    main: { frame: 100, calls: ['wide', 'deep'] },
    wide: { frame: 300, calls: [] },
    deep: { frame: 10, calls: ['deeper', '__divsi3'] },
    deeper: { frame: 400, calls: [] },
  });
  expect(stackOf(folder, new Set())).toMatchObject({
    deepest: { bytes: 510, path: ['100 void main()', '10 void deep()', '400 void deeper()'] },
    recursive: [],
    unbounded: [],
  });
});

it('the stack report follows a pointer call into every virtual function, each at most once', () => {
  graph({
    main: { frame: 100, calls: ['__indirect_call'] },
    sink: { frame: 20, calls: ['__indirect_call'] },
    parser: { frame: 200, calls: [] },
    other: { frame: 999, calls: [] },
  });
  expect(stackOf(folder, new Set(['sink', 'parser'])).deepest.bytes).toBe(999);
  graph({
    main: { frame: 900, calls: ['__indirect_call'] },
    sink: { frame: 20, calls: ['__indirect_call'] },
    parser: { frame: 200, calls: [] },
  });
  expect(stackOf(folder, new Set(['sink', 'parser'])).deepest.path).toEqual([
    '900 void main()',
    '20 void sink()',
    '200 void parser()',
  ]);
});

it('the stack report names recursion and unbounded frames', () => {
  graph({ a: { frame: 8, calls: ['b'] }, b: { frame: 8, calls: ['a'] }, c: { frame: 8, kind: 'dynamic', calls: [] } });
  const report = stackOf(folder, new Set());
  expect(report.recursive.length).toBeGreaterThan(0);
  expect(report.unbounded).toEqual(['void c()']);
});

it('the size report counts only objects of the core in a linker map', () => {
  mkdirSync(folder, { recursive: true });
  const map = join(folder, 'a.map');
  writeFileSync(
    map,
    [
      'Discarded input sections',
      '',
      ' .text.gone',
      '                0x00000000       0x99 CMakeFiles/core.dir/a.cpp.obj',
      'Linker script and memory map',
      '',
      ' .text._ZN1aEv',
      '                0x50000010       0x84 CMakeFiles/core.dir/a.cpp.obj',
      ' .literal._ZN1aEv  0x50000004       0x10 CMakeFiles/core.dir/a.cpp.obj',
      ' .irom.text.hearth',
      '                0x50000100       0x200 CMakeFiles/core.dir/font.cpp.obj',
      ' .rodata.str1.1  0x50000400       0x7 CMakeFiles/core.dir/a.cpp.obj',
      ' .bss.x         0x50000500       0x20 CMakeFiles/core.dir/a.cpp.obj',
      ' .text.main     0x50000600       0x40 CMakeFiles/device.dir/device.cpp.obj',
      '',
    ].join('\n'),
  );
  expect(coreSize(map)).toEqual({ text: 0x94, tables: 0x200, constants: 7, variables: 0x20 });
});
