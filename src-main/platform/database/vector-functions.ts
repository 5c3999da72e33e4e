import type Sqlite from 'better-sqlite3';

const loaded = new WeakMap<Sqlite.Database, Promise<boolean>>();

/**
 * Loads the functions of sqlite-vec, such as `vec_distance_cosine`, into a connection; false where there is no build of
 * it for this system, or where it is not installed. It adds functions only: a vault is read and restored without it.
 */
export function loadVectorFunctions(sqlite: Sqlite.Database): Promise<boolean> {
  const known = loaded.get(sqlite);
  if (known) return known;
  const loading = import('sqlite-vec')
    .then(({ getLoadablePath }) => {
      // Packages with native code are beside the archive that Electron loads the program from.
      sqlite.loadExtension(getLoadablePath().replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked'));
      return true;
    })
    .catch(() => false);
  loaded.set(sqlite, loading);
  return loading;
}
