/**
 * `npm run layout`: the shape of the code in figures: modules and who imports whom, cycles of files and folders (types
 * and lazy imports counted), wide lines, long functions and long files. Exits with 1 past a bar; `npm run check` runs
 * it. `--all` lists every offender.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseSync, visitorKeys, type Node } from 'oxc-parser';
// Areas whose folders are modules, from the top layer to the bottom one.
import LAYERS from './layers.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });

const WIDE = 120;
const TOO_WIDE = 160;
const MAX_WIDE_SHARE = 0.005;
const MAX_FUNCTION_LINES = 60;
const MAX_LONG_FUNCTION_SHARE = 0.01;
const MAX_FILE_LINES = 400;
const SHOWN = 5;

/** Written by programs, not by people. */
const GENERATED = /\/generated\/|\.generated\.|\/migrations\//;
/** Message catalogues hold one message a line and one language a file (docs/adr). */
const CATALOGUE = /^src-renderer\/locales\//;
const SCRIPT = /\.(ts|tsx|js|mjs)$/;
const WITH_LINES = /\.(ts|tsx|js|mjs|css|html|cpp|h|py|cmake)$|(?:^|\/)CMakeLists\.txt$/;

interface Place {
  file: string;
  line: number;
  size: number;
  name: string;
}
interface Module {
  file: string;
  imports: string[];
  functions: Place[];
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => WITH_LINES.test(file) && !GENERATED.test(file));
const texts = new Map(files.flatMap((file) => readIfPresent(file)));
const modules = [...texts].filter(([file]) => SCRIPT.test(file)).map(([file, text]) => readModule(file, text));

/** A file that was deleted but not yet committed is listed by git and is not there. */
function readIfPresent(file: string): [string, string][] {
  try {
    return [[file, readFileSync(join(ROOT, file), 'utf8')]];
  } catch {
    return [];
  }
}

function readModule(file: string, text: string): Module {
  const { program, module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
  ];
  const functions: Place[] = [];
  walk(program as unknown as Node, (node, parent) => {
    specifiers.push(specifierOf(node));
    // The callback of a `describe` groups tests and is not counted.
    if (!isFunction(node) || isGroupOfTests(parent)) return;
    const line = lineOf(lineStarts, node.start);
    functions.push({ file, line, size: lineOf(lineStarts, node.end) - line + 1, name: nameOf(node, parent) });
  });
  const imports = specifiers
    .filter((specifier) => specifier?.startsWith('.'))
    .map((specifier) => posix.normalize(posix.join(dirname(file), specifier as string)));
  return { file, imports: [...new Set(imports)].filter((target) => texts.has(target)), functions };
}

/** What a node imports outside of statements: `import('…')` as value or type, or `new URL('…', import.meta.url)`. */
function specifierOf(node: AnyNode): string | undefined {
  if (node.type === 'ImportExpression' || node.type === 'TSImportType') return textOf(node['source']);
  if (node.type !== 'NewExpression') return undefined;
  const [path, base] = node['arguments'] as unknown[];
  const isUrl = isNode(node['callee']) && node['callee']['name'] === 'URL';
  const isRelative = isNode(base) && base.type === 'MemberExpression' && isNode(base['object']);
  return isUrl && isRelative ? textOf(path) : undefined;
}

/** The text of a string or of a template without values. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  const quasis = node.type === 'TemplateLiteral' ? (node['quasis'] as { value: { cooked: string } }[]) : [];
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
}

/** The line of an offset, from 1. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

type AnyNode = Node & Record<string, unknown>;
function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

/** Calls `visit` for a node and all nodes in it. */
function walk(node: Node, visit: (node: AnyNode, parent: AnyNode | null) => void, parent: AnyNode | null = null): void {
  const any = node as AnyNode;
  visit(any, parent);
  for (const key of visitorKeys[node.type] ?? []) {
    const child = any[key];
    for (const item of Array.isArray(child) ? child : [child]) if (isNode(item)) walk(item, visit, any);
  }
}

function isGroupOfTests(parent: Node | null): boolean {
  if (parent?.type !== 'CallExpression') return false;
  let callee: unknown = parent.callee;
  while (isNode(callee) && (callee.type === 'MemberExpression' || callee.type === 'CallExpression'))
    callee = callee.type === 'MemberExpression' ? callee['object'] : callee['callee'];
  return isNode(callee) && callee.type === 'Identifier' && String(callee['name']).startsWith('describe');
}

function nameOf(node: AnyNode, parent: AnyNode | null): string {
  const named = [node['id'], parent?.['id'], parent?.['key']].find(isNode);
  return String(named?.['name'] ?? 'function');
}

/** Groups of nodes that reach each other in a circle (Tarjan's strongly connected components). */
function findCycles(importsOf: ReadonlyMap<string, Iterable<string>>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file) as number);
    stack.push(file);
    for (const target of importsOf.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) as number, low.get(target) as number));
    }
    if (low.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) cycles.push(group);
  };
  for (const file of importsOf.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

/** The module of a file: a feature, or a folder of another layer (`src-main/platform/vault`). */
const folderOf = (file: string): string | undefined => /^src-(?:main|renderer)\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0];

/** The feature of main that a folder is. */
const featureOf = (folder: string): string | undefined => /^src-main\/features\/(.+)$/.exec(folder)?.[1];

/** The folders that each folder imports, tests aside. */
function importsOfFolders(): Map<string, Set<string>> {
  const importsOf = new Map<string, Set<string>>();
  for (const { file, imports } of modules) {
    const folder = folderOf(file);
    if (folder === undefined || file.includes('.test.')) continue;
    const targets = importsOf.get(folder) ?? new Set();
    importsOf.set(folder, targets);
    for (const target of imports.map(folderOf)) if (target !== undefined && target !== folder) targets.add(target);
  }
  return importsOf;
}

/** Imports between the modules of an area, and those that go upwards. */
function reportLayers(area: string, layers: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const upwards: string[] = [];
  for (const { file, imports } of modules) {
    if (!file.startsWith(`${area}/`) || file.includes('.test.')) continue;
    const layer = layerOf(file, layers);
    for (const target of imports) {
      if (!target.startsWith(`${area}/`) || target.includes('.test.')) continue;
      const targetLayer = layerOf(target, layers);
      if (targetLayer === layer) continue;
      const key = `${layers[layer]} -> ${layers[targetLayer]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (targetLayer < layer) upwards.push(`${file} -> ${target}`);
    }
  }
  process.stdout.write(`${area}: ${layers.join(' > ')}\n`);
  for (const [key, count] of [...counts].sort()) process.stdout.write(`  ${key}: ${count}\n`);
  return upwards;
}

/** Entries beside the folders of an area belong to its top layer. */
const layerOf = (file: string, layers: readonly string[]): number =>
  Math.max(0, layers.indexOf(file.split('/')[1] as string));

function collectWideLines(): { all: number; wide: Place[] } {
  let all = 0;
  const wide: Place[] = [];
  for (const [file, text] of texts)
    for (const [index, line] of text.split('\n').entries()) {
      all += 1;
      // Code points: a letter with its own two units is one column.
      const size = line.length > WIDE ? [...line].length : line.length;
      if (size > WIDE && !/https?:\/\/\S{60}/.test(line)) wide.push({ file, line: index + 1, size, name: '' });
    }
  return { all, wide: wide.sort((a, b) => b.size - a.size) };
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
const problems: string[] = [];
function report(title: string, offenders: readonly Place[], isOver: boolean): void {
  process.stdout.write(`${isOver ? 'OVER ' : ''}${title}\n`);
  for (const { file, line, size, name } of values.all ? offenders : offenders.slice(0, SHOWN))
    process.stdout.write(`  ${size}  ${file}:${line}${name && ` ${name}`}\n`);
  if (isOver) problems.push(title);
}
function reportList(title: string, lines: readonly string[]): void {
  process.stdout.write(`${title}: ${lines.length}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  if (lines.length > 0) problems.push(title);
}

const upwards = Object.entries(LAYERS).flatMap(([area, layers]) => reportLayers(area, layers));
reportList('imports that go upwards', upwards);
const cyclesOf = (importsOf: ReadonlyMap<string, Iterable<string>>): string[] =>
  findCycles(importsOf).map((group) => group.join(' <-> '));
const importsOfFiles = new Map(modules.map(({ file, imports }) => [file, imports]));
reportList('cycles, types and lazy imports counted', cyclesOf(importsOfFiles));
const foldersImported = importsOfFolders();
reportList('cycles of folders', cyclesOf(foldersImported));
const pairs = [...foldersImported].flatMap(([folder, targets]) =>
  [...targets].map((target) => [featureOf(folder), featureOf(target)]),
);
for (const pair of pairs
  .filter(([feature, target]) => feature !== undefined && target !== undefined)
  .map(String)
  .sort())
  process.stdout.write(`  feature ${pair.replace(',', ' -> ')}\n`);

const { all, wide } = collectWideLines();
const tooWide = wide.filter(({ size }) => size > TOO_WIDE);
report(
  `lines over ${WIDE} columns: ${wide.length} of ${all} (${percent(wide.length / all)}), over ` +
    `${TOO_WIDE}: ${tooWide.length}`,
  wide,
  wide.length / all > MAX_WIDE_SHARE || tooWide.length > 0,
);
const functions = modules.flatMap((module) => module.functions).sort((a, b) => b.size - a.size);
const long = functions.filter(({ size }) => size > MAX_FUNCTION_LINES);
report(
  `functions over ${MAX_FUNCTION_LINES} lines, closures counted: ${long.length} of ` +
    `${functions.length} (${percent(long.length / functions.length)})`,
  long,
  long.length / functions.length > MAX_LONG_FUNCTION_SHARE,
);
const longFiles = [...texts]
  .map(([file, text]): Place => ({ file, line: 1, size: text.split('\n').length - 1, name: '' }))
  .filter(({ file, size }) => size > MAX_FILE_LINES && !CATALOGUE.test(file))
  .sort((a, b) => b.size - a.size);
report(`files over ${MAX_FILE_LINES} lines: ${longFiles.length}`, longFiles, longFiles.length > 0);
process.exitCode = problems.length > 0 ? 1 : 0;
