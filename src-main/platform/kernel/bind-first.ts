type Bound<D, F> = {
  [K in keyof F]: F[K] extends (first: D, ...rest: infer A) => infer R ? (...rest: A) => R : never;
};

/**
 * Binds the first argument of each function: `bindFirst(db, { findDocument })` has `findDocument(id)`. A factory stays
 * a list of its actions, while each action is a function of its module. Overloads and type parameters are lost.
 */
export function bindFirst<D, const F extends Record<string, (first: D, ...rest: never[]) => unknown>>(
  first: D,
  functions: F,
): Bound<D, F> {
  return Object.fromEntries(
    Object.entries(functions).map(([name, action]) => [name, (...rest: never[]) => action(first, ...rest)]),
  ) as Bound<D, F>;
}
