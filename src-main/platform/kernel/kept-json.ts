/** The JSON of values that nobody changes any more, as UTF-8; null until it is first needed. */
const kept = new WeakMap<object, Buffer | null>();

/** Freezes a value that many replies share, so that its JSON is made once. Its parts must not change either. */
export function keepJson<T extends object>(value: T): T {
  if (!kept.has(value)) kept.set(Object.freeze(value), null);
  return value;
}

/**
 * The same bytes as `JSON.stringify` has in UTF-8. Kept values are found as the whole, as elements of it, and as
 * elements of its fields.
 */
export function toJson(value: unknown): Buffer {
  if (isKept(value)) return keptBytes(value);
  const pieces: Buffer[] = [];
  let text = '';
  const add = (one: unknown): void => {
    if (!isKept(one)) text += JSON.stringify(one) ?? 'null';
    else {
      pieces.push(Buffer.from(text), keptBytes(one));
      text = '';
    }
  };
  const addList = (list: readonly unknown[]): void => {
    list.forEach((one, index) => {
      text += index === 0 ? '[' : ',';
      add(one);
    });
    text += ']';
  };
  if (isListOfKept(value)) addList(value);
  else if (typeof value !== 'object' || value === null || !Object.values(value).some(isListOfKept)) add(value);
  else {
    let separator = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      text += `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      if (isListOfKept(field)) addList(field);
      else add(field);
    }
    text += '}';
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

const isKept = (value: unknown): value is object => typeof value === 'object' && value !== null && kept.has(value);

const isListOfKept = (value: unknown): value is readonly unknown[] => Array.isArray(value) && isKept(value[0]);

function keptBytes(value: object): Buffer {
  const known = kept.get(value);
  if (known) return known;
  const bytes = Buffer.from(JSON.stringify(value));
  kept.set(value, bytes);
  return bytes;
}
