import { isCivilDate } from '../../../src-shared/medical/civil-date.ts';
import { basename } from 'node:path';
import { SaxesParser } from 'saxes';
import { fail } from '../../platform/kernel/errors.ts';
import type { Member } from './source.ts';

/** A measured value of an export of Apple Health. */
export interface HealthRecord {
  /** As for phone backups: `body_mass`. */
  type: string;
  value: number;
  unit: string | null;
  /** The civil day where it was measured. */
  day: string;
  source: string;
}

/** Takes what the export holds, one by one. */
export interface HealthReader {
  record(record: HealthRecord): void;
  /** A record that has no number, such as sleep. */
  other(type: string): void;
  /** A clinical record: the name of its file, and the practice that sent it. */
  clinical(file: string, source: string): void;
}

const PREFIX = 'HKQuantityTypeIdentifier';
/** Identifiers of HealthKit whose words are not separated by capital letters alone. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['VO2Max', 'vo2_max'],
  ['HeartRateVariabilitySDNN', 'heart_rate_variability_sdnn'],
  ['ForcedExpiratoryVolume1', 'forced_expiratory_volume_1'],
]);
/** A tag or text of an export is far shorter; the parser would hold a longer one in memory. */
const MAX_TOKEN_CHARS = 4 * 2 ** 20;

/** `HKQuantityTypeIdentifierBodyMass` as `body_mass`; null for other kinds of records. */
export function typeOf(identifier: string): string | null {
  if (!identifier.startsWith(PREFIX)) return null;
  const name = identifier.slice(PREFIX.length);
  return IRREGULAR.get(name) ?? name.replaceAll(/(?<!^)([A-Z])/g, '_$1').toLowerCase();
}

/**
 * Reads `export.xml` as a stream. Records within others are left out: they are repeated at the top.
 * @throws `import.health_invalid`
 */
export async function readHealthRecords({ open }: Member, reader: HealthReader, signal: AbortSignal): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let [depth, charsSinceTag] = [0, 0];
  let failed: Error | null = null;
  parser.on('error', (error) => {
    failed ??= error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    charsSinceTag = 0;
    if (depth !== 2) return;
    if (name === 'Record') readRecord(attributes, reader);
    else if (name === 'ClinicalRecord')
      reader.clinical(basename(attributes['resourceFilePath'] ?? ''), attributes['sourceName'] ?? '');
    else if (name === 'Workout' || name === 'ActivitySummary' || name === 'Audiogram') reader.other(name);
  });
  parser.on('closetag', () => {
    depth -= 1;
    charsSinceTag = 0;
  });
  const stream = await open();
  stream.setEncoding('utf8');
  try {
    for await (const chunk of stream) {
      signal.throwIfAborted();
      charsSinceTag += (chunk as string).length;
      if (charsSinceTag > MAX_TOKEN_CHARS) throw fail('import.health_invalid');
      parser.write(chunk as string);
      if (failed !== null) throw fail('import.health_invalid', undefined, failed);
    }
    parser.close();
    if (failed !== null) throw fail('import.health_invalid', undefined, failed);
  } finally {
    stream.destroy();
  }
}

function readRecord(attributes: Readonly<Record<string, string>>, reader: HealthReader): void {
  const identifier = attributes['type'] ?? '';
  const type = typeOf(identifier);
  const day = (attributes['startDate'] ?? '').slice(0, 10);
  const value = Number(attributes['value'] || Number.NaN);
  if (type === null || !Number.isFinite(value) || !isCivilDate(day)) return reader.other(identifier);
  const source = (attributes['sourceName'] ?? '').replaceAll('\u00a0', ' ').trim();
  reader.record({ type, day, source, ...inUsualUnit(value, attributes['unit'] ?? null) });
}

/** Units of HealthKit as Hearth has them of phone backups; fractions become percent. */
function inUsualUnit(value: number, unit: string | null): { value: number; unit: string | null } {
  // `mmol<180.1558800000541>/L` contains the molar mass.
  const plain = unit?.replaceAll(/<[^>]*>/g, '') ?? null;
  const usual = plain === null || !Object.hasOwn(UNITS, plain) ? undefined : UNITS[plain];
  if (!usual) return { value, unit: plain };
  return { value: round(usual.convert(value)), unit: usual.unit };
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6;
const UNITS: Readonly<Record<string, { unit: string; convert: (value: number) => number } | undefined>> = {
  '%': { unit: '%', convert: (value) => (value <= 1 ? value * 100 : value) },
  // The international pound, foot and inch.
  lb: { unit: 'kg', convert: (value) => value * 0.45359237 },
  st: { unit: 'kg', convert: (value) => value * 6.35029318 },
  g: { unit: 'kg', convert: (value) => value / 1000 },
  ft: { unit: 'm', convert: (value) => value * 0.3048 },
  in: { unit: 'm', convert: (value) => value * 0.0254 },
  cm: { unit: 'm', convert: (value) => value / 100 },
  degF: { unit: 'degC', convert: (value) => ((value - 32) * 5) / 9 },
  'mL/min·kg': { unit: 'mL/kg/min', convert: (value) => value },
};
