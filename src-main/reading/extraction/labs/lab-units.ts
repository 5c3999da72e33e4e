import { usualUnitsByGroup } from '../../../../src-shared/medical/unit.ts';
import { loadWords } from '../../knowledge/words.ts';

const UNITS = usualUnitsByGroup();
const NAMES = loadWords('unit-groups', [...UNITS.keys()]);

/**
 * Units in which tests are usually reported, to repair units that OCR damaged. A name is a folded prefix of test names.
 * Sources: customary and SI units of European and North American laboratory catalogs.
 */
export const USUAL_UNITS = [...UNITS].flatMap(([group, units]) =>
  (NAMES[group] ?? []).map((name) => ({ name, units: units as readonly string[] })),
);
