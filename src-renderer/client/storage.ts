/** Returns a stored preference; null if there is none or storage is blocked. */
export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`hearth.${name}`);
  } catch {
    return null;
  }
}

/** Stores a preference in this browser. */
export function storePreference(name: string, value: string): void {
  try {
    localStorage.setItem(`hearth.${name}`, value);
  } catch {
    // Private windows may block storage; the preference is then not stored.
  }
}
