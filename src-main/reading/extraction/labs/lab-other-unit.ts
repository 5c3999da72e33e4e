import type { LabCells } from './lab-rows.ts';

const OTHER_UNIT = /^(?:soit|entspricht|entspr\.?|pari a|equals|=)$/i;

/** Whether a word in place of a name says that the result above follows in another unit: "soit 81 µmol/L". */
export const isOtherUnit = (name: string): boolean => OTHER_UNIT.test(name);

/**
 * Whether cells only repeat the result above in another unit: "soit 5,66 mmol/L" without a range, perhaps beside the
 * method. With a range of its own it is a result that can be compared.
 */
export const repeatsInOtherUnit = ({ name, line, values: [value], range, bound }: LabCells): boolean =>
  isOtherUnit(name)
    ? range === null && bound === null
    : isOtherUnit(line.segments[value?.token.segment ?? 0]?.words[0]?.text ?? '');
