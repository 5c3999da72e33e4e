/** Error codes of imports from archives. */
export const IMPORT_ERRORS = {
  'import.not_found': { status: 404, detail: 'This import does not exist. It may have been deleted.' },
  'import.not_ready': { status: 409, detail: 'This can’t be done with the import now. Wait until it has ended.' },
  'import.path_invalid': { status: 400, detail: 'Enter a full path, from the root of the disk.' },
  'import.source_missing': {
    status: 404,
    detail: 'Nothing was found at this path. Check it, and whether its disk is connected.',
  },
  'import.source_unreadable': {
    status: 403,
    detail: 'Hearth may not read this folder or file. Check its permissions.',
  },
  'import.source_inside': { status: 400, detail: 'This is in the vault itself. Choose a folder outside of it.' },
  'import.nothing_found': { status: 422, detail: 'No files to import were found there. Choose another folder.' },
  'import.manifest_invalid': {
    status: 422,
    detail: 'The manifest of this export can’t be read. Export again from paperless-ngx.',
  },
  'import.health_invalid': {
    status: 422,
    detail: 'The health data of this export can’t be read. Export again from the Health app.',
  },
  'import.file_missing': { status: 422, detail: 'The file is named in the export but missing from it.' },
  'import.file_damaged': {
    status: 422,
    detail: 'The file can’t be read from its disk, which may be damaged. Copy it from another place.',
  },
  'import.file_changed': {
    status: 422,
    detail: 'The file is not the one that was exported: its checksum differs. Export again.',
  },
  'import.no_place': { status: 422, detail: 'Hearth has no place for this kind of data, so it was left out.' },
  'import.record_unreadable': { status: 422, detail: 'This clinical record can’t be read.' },
} as const;
