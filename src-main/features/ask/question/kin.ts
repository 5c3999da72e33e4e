import { vocabulary } from './vocabulary.ts';

/**
 * What a family may call a person: "Papa" a man, "Grandma" a woman of the age. Other such words name somebody else, whose
 * record this is not.
 */
export function kinWordsFor(
  { sex, born }: { sex: 'M' | 'F' | 'O' | null; born: string | null },
  today: string,
): readonly string[] {
  const age = born === null ? Infinity : Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  const isSex = (of: string): boolean => of === sex || sex === null || sex === 'O';
  return vocabulary().kin.flatMap((kin) => (isSex(kin.sex) && age >= kin.from ? kin.words : []));
}
