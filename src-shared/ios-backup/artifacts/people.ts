/** Digits by which two spellings of one number are the same: `+41 79 123 45 67` and `079 123 45 67`. Shorter ones must agree wholly. */
const SAME_DIGITS = 9;

/** Names by telephone number and e-mail address, from the contacts of the same phone. */
export interface People {
  /** Names a number or an address. The first name of a handle stays. */
  add(handle: string, name: string): void;
  /** The name that belongs to a handle; null when the contacts have none. */
  nameOf(handle: string | null): string | null;
}

const keyOf = (handle: string): string => {
  if (handle.includes('@')) return handle.trim().toLowerCase();
  const digits = handle.replace(/\D/g, '');
  return digits.length >= SAME_DIGITS ? digits.slice(-SAME_DIGITS) : digits || handle.trim().toLowerCase();
};

export function createPeople(): People {
  const names = new Map<string, string>();
  const asked = new Map<string, string | null>();
  return {
    add(handle, name) {
      const key = keyOf(handle);
      if (key === '' || names.has(key)) return;
      names.set(key, name);
      asked.clear();
    },
    nameOf(handle) {
      if (handle === null) return null;
      const known = asked.get(handle);
      if (known !== undefined) return known;
      const name = names.get(keyOf(handle)) ?? null;
      asked.set(handle, name);
      return name;
    },
  };
}
