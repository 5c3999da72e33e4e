/**
 * `node scripts/sbom.ts [--out FILE]`: the parts list of the desktop program in CycloneDX 1.6: every package of the
 * production dependencies and of the user interface with version, license, checksum and what it depends on, and Electron.
 * The same lock writes the same bytes.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { lock, packagesBelow, publishedName, resolveLocked } from './lock.ts';
import { shippedRoots } from './shipped-roots.ts';

interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses?: ({ license: { id: string } | { name: string } } | { expression: string })[];
  hashes?: { alg: 'SHA-512'; content: string }[];
}

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  name: string;
  version: string;
};
const text = `${JSON.stringify(describe(packagesBelow(shippedRoots())), null, 2)}\n`;
if (values.out === undefined) process.stdout.write(text);
else writeFileSync(values.out, text);

/** The parts list without serial number and time, which would make each one different. */
function describe(paths: ReadonlySet<string>): object {
  const sorted = [...paths].toSorted();
  const self = `pkg:npm/${manifest.name}@${manifest.version}`;
  const components = new Map(sorted.map((path) => [refOf(path), componentOf(path)]));
  const serial = createHash('sha256')
    .update(JSON.stringify([...components.values()]))
    .digest('hex');
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(serial)}`,
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': self, name: manifest.name, version: manifest.version, purl: self },
    },
    components: [...components.values()],
    dependencies: [
      { ref: self, dependsOn: refsOf(shippedRoots(), '', paths) },
      ...sorted.filter(isFirst).map((path) => {
        const { dependencies = {}, optionalDependencies = {} } = lock[path]!;
        return {
          ref: refOf(path),
          dependsOn: refsOf(Object.keys({ ...dependencies, ...optionalDependencies }), path, paths),
        };
      }),
    ],
  };
}

/** Whether no folder before this one has the same package in the same version. */
function isFirst(path: string, index: number, all: readonly string[]): boolean {
  return all.findIndex((other) => refOf(other) === refOf(path)) === index;
}

function refOf(path: string): string {
  // Package URLs encode the @ of a scope.
  return `pkg:npm/${publishedName(path).replace(/^@/, '%40')}@${lock[path]!.version}`;
}

function refsOf(names: readonly string[], parent: string, paths: ReadonlySet<string>): string[] {
  const found = names.map((name) => resolveLocked(name, parent)).filter((path) => path !== null && paths.has(path));
  return [...new Set(found.map((path) => refOf(path!)))].toSorted();
}

function componentOf(path: string): Component {
  const { version, license, integrity } = lock[path]!;
  const ref = refOf(path);
  return {
    type: 'library',
    'bom-ref': ref,
    name: publishedName(path),
    version,
    purl: ref,
    ...(license !== undefined && { licenses: [licenseOf(license)] }),
    ...(integrity?.startsWith('sha512-') && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
    }),
  };
}

/** SPDX identifiers and expressions; any other text is a name. */
function licenseOf(license: string): NonNullable<Component['licenses']>[number] {
  if (/^\(?[\w.+-]+ (?:OR|AND|WITH) /.test(license)) return { expression: license };
  return { license: /^[\w.+-]+$/.test(license) ? { id: license } : { name: license } };
}

/** A UUID of version 8 (RFC 9562) from a digest. */
function uuidOf(digest: string): string {
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}a${digest.slice(17, 32)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
