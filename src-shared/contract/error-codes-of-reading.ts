/** The error codes of reading documents and phone backups, as in `error-codes.ts`. */
export const READING_ERRORS = {
  'phone.not_found': { status: 404, detail: 'This phone backup does not exist. Refresh the list.' },
  'phone.session_invalid': { status: 401, detail: 'The backup is locked. Unlock it again.' },
  'phone.session_mismatch': { status: 403, detail: 'Another backup is unlocked. Unlock this one.' },
  'phone.incorrect_password': {
    status: 400,
    detail: 'Wrong password. Use the backup password you set in Finder or iTunes, not the phone’s passcode.',
  },
  'phone.backup_unreadable': {
    status: 500,
    detail: 'This backup can’t be read because it is damaged or incomplete. Back up the phone again.',
  },
  'phone.too_demanding': {
    status: 422,
    detail: 'Reading this backup takes more memory or time than Hearth may use. Copy it again, or unlock it again.',
  },
  'phone.keys_damaged': { status: 500, detail: 'The keys of this backup are missing or damaged. Copy it again.' },
  'phone.needs_device': { status: 404, detail: 'This item can only be read on the phone itself.' },
  'phone.file_not_found': { status: 404, detail: 'This file does not exist in the backup. Choose another one.' },
  'phone.not_a_file': { status: 404, detail: 'This is a folder or a link, so it has no content.' },
  'phone.file_missing': {
    status: 404,
    detail: 'The content of this file is missing from the backup. Back up the phone again.',
  },
  'phone.folder_missing': {
    status: 404,
    detail: 'The folder of this backup can’t be found. Connect its disk, or refresh the list.',
  },
  'phone.file_damaged': {
    status: 500,
    detail: 'This file is damaged in the backup and can’t be read. Back up the phone again.',
  },
  'phone.file_cut': { status: 500, detail: 'The end of this file is missing from the backup. Copy it again.' },
  'phone.record_damaged': { status: 500, detail: 'The backup’s entry of this file is damaged. Others are fine.' },
  'phone.row_not_found': { status: 404, detail: 'This entry does not exist in the backup.' },
  'phone.unsupported_type': { status: 422, detail: '“{{type}}” can’t be shown in Labs. Choose another type.' },
  'reading.internal_error': {
    status: 500,
    detail:
      'Reading stopped because of an error in Hearth, but no data was lost. Read the document again, and see the log.',
  },
  'reading.cancelled': { status: 409, detail: 'Reading was cancelled. You can read the document again.' },
  'reading.interrupted': { status: 503, detail: 'Reading was interrupted. It continues where it stopped.' },
  'reading.safe_mode': {
    status: 503,
    detail: 'Hearth was started in safe mode and reads nothing. Start it normally to continue.',
  },
  'reading.on_battery': {
    status: 503,
    detail: 'Reading waits until the computer is connected to power. An administrator can also continue it now.',
  },
  'reading.vault_read_only': {
    status: 507,
    detail:
      'Hearth can’t write to the vault. Free up some space or check the folder’s permissions, then resume reading.',
  },
  'reading.document_too_large': {
    status: 413,
    detail: 'This document is too large to be read as a whole. Enter its fields yourself.',
  },
  'reading.page_unreadable': { status: 422, detail: 'A page could not be read. Try a better scan.' },
  'reading.tesseract_failed': {
    status: 502,
    detail: 'The Tesseract program could not read a page. Check that its language files are installed.',
  },
  'reading.tesseract_missing': {
    status: 502,
    detail: 'The Tesseract program is no longer installed. Install it, or choose the built-in engine in the settings.',
  },
  'reading.tesseract_timeout': {
    status: 504,
    detail: 'The Tesseract program did not answer in time. Read the document again.',
  },
  'reading.file_too_demanding': {
    status: 422,
    detail: 'This file needs more memory or time than Hearth may use. Save it as a new PDF, then upload that.',
  },
  'translation.page_out_of_range': { status: 422, detail: 'The document does not have this page. Choose another one.' },
  'translation.region_too_small': { status: 422, detail: 'This part is too small to read. Select a larger one.' },
  'translation.no_text_detected': { status: 422, detail: 'There is no text to translate. Select another part.' },
  'reading.no_vision_model': {
    status: 409,
    detail: 'No vision model is set up. Read the document again with text recognition.',
  },
  'reading.nothing_set_up': {
    status: 409,
    detail: 'None of the providers for this can be used as it is set up. Check them in the settings.',
  },
  'settings.no_vision_model': {
    status: 409,
    detail: 'No vision model can be used. Set one up first, then let new documents be read by it.',
  },
} as const satisfies Record<string, { status: number; detail: string }>;
