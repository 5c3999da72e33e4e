import { editDistance, fold } from '../fold.ts';

/** A doctor's name with its title, and the family name in it. */
export interface NamedDoctor {
  name: string;
  family: string;
}

/** A signature of which only the given name was read, "Dr Thibaut", is that of the only doctor who is called so. */
export function withFamilyName<D extends NamedDoctor>(best: D, candidates: readonly D[]): D {
  const [only, ...others] = wordsOf(best);
  if (only === undefined || others.length > 0) return best;
  const fuller = candidates.filter((one) => wordsOf(one).length > 1 && wordsOf(one)[0] === only);
  return fuller[0] && fuller.every((one) => sameDoctor(one, fuller[0] ?? one)) ? fuller[0] : best;
}

/** "OA Dr. Florian Gmeiner" for "OA Dr. Gmeiner": the same doctor with a given name. */
function withGivenName<D extends NamedDoctor>(best: D, candidates: readonly D[]): D {
  if (wordsOf(best).length > 1 || wordsOf(best)[0] !== best.family) return best;
  return candidates.find((one) => sameDoctor(one, best) && wordsOf(one).length > 1) ?? best;
}

/** "Dr. Severin Glanzer" for "Ordination Dr. Glanzer Mauterndorf", where a town follows the family name. */
function withoutTown<D extends NamedDoctor>(best: D, candidates: readonly D[]): D {
  const [family, ...more] = wordsOf(best);
  const own = candidates.find((one) => one.family === family && wordsOf(one).length > 1);
  return more.length > 0 && own ? own : best;
}

const wordsOf = ({ name }: NamedDoctor): string[] =>
  name.split(' ').filter((word) => /^\p{Lu}[\p{L}'’-]{2,}$/u.test(word) && !/^(?:Prof|Dre?|Pr|Dott|Prim)$/u.test(word));

/** "Dr Élise Carrel" for "Drs É. Carrel": the same doctor with a given name instead of its initial. */
export function fullerName<D extends NamedDoctor>(printed: D, candidates: readonly D[]): D {
  const best = withGivenName(withoutTown(printed, candidates), candidates);
  const initial = INITIAL.exec(best.name)?.[1];
  if (initial === undefined) return best;
  const fuller = candidates.find(
    (other) =>
      sameDoctor(other, best) &&
      !INITIAL.test(other.name) &&
      other.name.split(' ').length >= best.name.split(' ').length &&
      other.name.split(' ').some((word) => fold(word).startsWith(fold(initial)) && word.length > 2),
  );
  return fuller ?? best;
}
const INITIAL = /(?:^|\s)(\p{Lu})\.(?=\s)/u;

/** Whether two names are those of one doctor, ignoring one misread letter. */
export function sameDoctor(a: NamedDoctor, b: NamedDoctor): boolean {
  const x = fold(a.family),
    y = fold(b.family);
  return x === y || (x.length > 4 && editDistance(x, y, 1) <= 1);
}
