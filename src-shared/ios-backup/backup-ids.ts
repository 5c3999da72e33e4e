/** A folder with a backup. */
export interface BackupPlace {
  /** The name of the folder: the identifier that the phone's computer gave the backup. */
  name: string;
  /** The name of the folder that contains it; null if that is the searched folder itself. */
  parent: string | null;
  /** The id of this folder in an earlier search. */
  knownId?: string | undefined;
}

/**
 * Returns an id for each backup: the name of its folder. Copies of one phone in several subfolders have the same name,
 * so all but one get the name of their subfolder as well. A folder keeps the id that it had, because an index and sent
 * documents belong to it; otherwise the backup outside of subfolders has the plain name.
 */
export function assignBackupIds(places: readonly BackupPlace[]): string[] {
  const ids = places.map(({ knownId }) => knownId);
  const taken = new Set(ids);
  const isNew = (i: number): boolean => ids[i] === undefined;
  const positions = [...places.keys()];
  const byDepth = [
    ...positions.filter((i) => places[i]?.parent === null),
    ...positions.filter((i) => places[i]?.parent !== null),
  ];
  for (const i of byDepth.filter(isNew)) {
    const { name, parent } = places[i]!;
    const id = taken.has(name) && parent !== null ? `${name} (${parent})` : name;
    ids[i] = id;
    taken.add(id);
  }
  return ids.map((id) => id ?? '');
}
