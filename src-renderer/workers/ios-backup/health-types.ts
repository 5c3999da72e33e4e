import type { HealthType, SampleRow } from '../../../src-shared/contract/phone-artifacts.ts';
import { MEASUREMENTS } from '../../../src-shared/ios-backup/artifacts/health-measurements.ts';

/** Which kinds of samples there are, by name, and how many of each source. */
export function healthTypesOf(samples: readonly SampleRow[]): HealthType[] {
  const types = new Map<string, HealthType & { bySource: Map<string, number> }>();
  for (const { type, type_number, kind, unit, started_at: at, source } of samples) {
    const known = types.get(type) ?? { type, type_number, kind, unit, count: 0, first_at: at, last_at: at, sources: [], is_measurement: MEASUREMENTS.has(type), bySource: new Map<string, number>() };
    types.set(type, known);
    known.count += 1;
    known.unit ??= unit;
    known.bySource.set(source ?? '', (known.bySource.get(source ?? '') ?? 0) + 1);
    if (at !== null && (known.first_at === null || at < known.first_at)) known.first_at = at;
    if (at !== null && (known.last_at === null || at > known.last_at)) known.last_at = at;
  }
  return [...types.values()].sort((a, b) => (a.type < b.type ? -1 : 1)).map(({ bySource, ...type }) => ({ ...type, sources: [...bySource].map(([source, count]) => ({ source, count })).sort((a, b) => b.count - a.count) }));
}
