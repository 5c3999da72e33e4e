/** The parameters of any code on the wire. */
export type AnyErrorParams = Readonly<Record<string, string | number>>;

/** Fills parameters into a text: "page {{page}}" → "page 3"; a missing parameter becomes "?". */
export const fillIn = (text: string, params: AnyErrorParams): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? '?'));
