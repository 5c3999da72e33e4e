import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { imaging as contract } from '../../../src-shared/contract/imaging.ts';
import type { createDoseRepository, StudyDoseRow } from './dose-repository.ts';

type Year = Reply<typeof contract.doses>['years'][number];

/** The doses of a patient, by study and added up by year, the latest first. */
export function listDoses(
  { doses }: { doses: ReturnType<typeof createDoseRepository> },
  patientId: number,
): Reply<typeof contract.doses> {
  const items = doses.ofPatient(patientId);
  const byYear = Map.groupBy(items, ({ study_date }) => study_date?.slice(0, 4) ?? null);
  return { items, years: [...byYear].map(([year, studies]) => yearOf(year, studies)) };
}

function yearOf(year: string | null, studies: readonly StudyDoseRow[]): Year {
  const sum = (of: 'dlp' | 'dap' | 'fluoroscopy_seconds' | 'glandular_dose' | 'activity'): number | null => {
    const values = studies.flatMap((study) => study[of] ?? []);
    return values.length === 0 ? null : values.reduce((a, b) => a + b, 0);
  };
  return {
    year: year === null ? null : Number(year),
    studies: studies.length,
    dlp: sum('dlp'),
    dap: sum('dap'),
    fluoroscopy_seconds: sum('fluoroscopy_seconds'),
    glandular_dose: sum('glandular_dose'),
    activity: sum('activity'),
  };
}
