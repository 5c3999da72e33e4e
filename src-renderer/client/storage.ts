/** A remembered choice of this browser; null where none was made or storage is forbidden. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`hearth.${name}`);
  } catch {
    return null;
  }
}

/** Remembers a choice; without storage it lasts until the page is closed. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`hearth.${name}`, value);
  } catch {
    // Private windows may refuse; the choice then simply is not kept.
  }
}
