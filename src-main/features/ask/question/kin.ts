import { vocabulary } from './vocabulary.ts';

/**
 * What a family may call a person: "Papa" a man, "Grandma" a woman of the age, "daughter" a girl or a young woman.
 * Other such words name somebody else, whose record this is not. Any age is possible where the birth date is unknown.
 */
export function kinWordsFor(
  { sex, born }: { sex: 'M' | 'F' | 'O' | null; born: string | null },
  today: string,
): readonly string[] {
  const age = born === null ? null : Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  const isSex = (of: string): boolean => of === sex || sex === null || sex === 'O';
  const isAge = ({ from, until }: { from: number; until: number }): boolean =>
    age === null || (age >= from && age < until);
  return vocabulary().kin.flatMap((kin) => (isSex(kin.sex) && isAge(kin) ? kin.words : []));
}
