/** What an archive is: folders of files, an export of paperless-ngx, or one of Apple Health. */
export const IMPORT_KINDS = ['folder', 'paperless', 'apple_health'] as const;
/**
 * `scanning` looks through the source and stores nothing, `ready` waits for a decision, `stopped` goes on where it was,
 * `failed` could not read the source.
 */
export const IMPORT_STATUSES = [
  'scanning',
  'ready',
  'running',
  'stopped',
  'done',
  'failed',
  'undoing',
  'undone',
] as const;
/**
 * `waiting` is new and will be stored; `known` was in the vault already; `in_trash` was deleted before; `refused` can't
 * be stored, `code` says why; `left_out` has no place in the vault.
 */
export const IMPORT_ITEM_STATUSES = [
  'unchecked',
  'waiting',
  'stored',
  'known',
  'in_trash',
  'refused',
  'left_out',
  'undone',
] as const;
export const IMPORT_ITEM_KINDS = ['file', 'disc', 'measurements', 'clinical'] as const;
