/**
 * Phone numbers with the same last digits are one number: `+41 79 123 45 67` and `079 123 45 67`. Shorter numbers must
 * match as a whole.
 */
const MATCHING_DIGITS = 9;

/** Names by telephone number and e-mail address, from the contacts of the same phone. */
export interface People {
  /** Adds the name of a number or an address, unless it already has one. */
  add(handle: string, name: string): void;
  /** The name of a handle; null if no contact has it. */
  nameOf(handle: string | null): string | null;
}

const keyOf = (handle: string): string => {
  if (handle.includes('@')) return handle.trim().toLowerCase();
  const digits = handle.replace(/\D/g, '');
  return digits.length >= MATCHING_DIGITS ? digits.slice(-MATCHING_DIGITS) : digits || handle.trim().toLowerCase();
};

/** Creates an empty directory of names. */
export function createPeople(): People {
  const names = new Map<string, string>();
  const cache = new Map<string, string | null>();
  return {
    add(handle, name) {
      const key = keyOf(handle);
      if (key === '' || names.has(key)) return;
      names.set(key, name);
      cache.clear();
    },
    nameOf(handle) {
      if (handle === null) return null;
      const cachedPerson = cache.get(handle);
      if (cachedPerson !== undefined) return cachedPerson;
      const name = names.get(keyOf(handle)) ?? null;
      cache.set(handle, name);
      return name;
    },
  };
}
