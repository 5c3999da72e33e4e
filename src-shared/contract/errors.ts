/**
 * Every error code of the API, once: its HTTP status and, in English, what the person can do.
 * `{name}` marks a datum that the thrower supplies. The renderer translates by code.
 */
export const ERRORS = {
  'request.invalid': { status: 422, detail: 'Some fields are not valid. Correct them and send again.' },
  'request.malformed': {
    status: 400,
    detail: 'The request could not be read. Check that it is valid JSON or multipart form data.',
  },
  'request.too_large': { status: 413, detail: 'The request is larger than {limit}.' },
  'request.wrong_host': {
    status: 421,
    detail: 'Hearth answers only under its own address. Open it as http://127.0.0.1 with its port.',
  },
  'request.cross_site': {
    status: 403,
    detail:
      'This request came from another site and was refused. Add the header X-Requested-With: XMLHttpRequest if it is your own program.',
  },
  'request.not_found': { status: 404, detail: 'There is nothing at this address.' },
  'request.method': { status: 405, detail: 'This address does not support that method.' },
  'request.aborted': {
    status: 400,
    detail: 'The upload broke off before it was complete. Nothing was stored; send it again.',
  },
  'server.fault': {
    status: 500,
    detail: 'Something went wrong inside Hearth. Nothing was lost; try again, and look at the log if it stays.',
  },
  'server.disk_full': { status: 507, detail: 'The disk is full. Free some space and try again; nothing was stored.' },
  'server.read_only': {
    status: 507,
    detail: 'The vault folder cannot be written. Check its permissions; nothing was stored.',
  },
  'server.stopping': { status: 503, detail: 'Hearth is stopping. Try again in a moment.' },
  'auth.required': { status: 401, detail: 'Sign in to continue.' },
  'auth.wrong': { status: 401, detail: 'User name or password is wrong.' },
  'auth.too_many': { status: 429, detail: 'Too many failed attempts. Wait {minutes} minutes and try again.' },
  'auth.forbidden': { status: 403, detail: 'You do not have access to this.' },
  'auth.read_only': { status: 403, detail: 'You can look at this but not change it.' },
  'setup.done': { status: 400, detail: 'Hearth is already set up. Sign in instead.' },
  'password.weak': {
    status: 422,
    detail: 'This password is too easy to guess. Use at least 12 characters that are not a common password.',
  },
  'password.wrong': { status: 403, detail: 'The present password is wrong.' },
  'user.not_found': { status: 404, detail: 'There is no such user.' },
  'user.exists': { status: 409, detail: 'There is already a user with this name. Choose another one.' },
  'user.self': { status: 400, detail: 'Nobody can remove his own account. Ask another administrator.' },
  'user.last_admin': { status: 400, detail: 'This is the last administrator. Make another user administrator first.' },
  'access.not_found': { status: 404, detail: 'This user has no access to this patient.' },
  'session.not_found': { status: 404, detail: 'There is no such session.' },
  'settings.key_unreadable': {
    status: 500,
    detail: 'The key that protects saved secrets cannot be read, so nothing was saved. Look at the log for what to do.',
  },
  'prompt.not_found': { status: 404, detail: 'There is no prompt with this key.' },
  'oidc.disabled': { status: 404, detail: 'Signing in with a sign-in service is not set up.' },
  'oidc.unreachable': {
    status: 502,
    detail:
      'The sign-in service cannot be reached, or does not answer as one. Try again later, or sign in with a password.',
  },
  'oidc.state': { status: 400, detail: 'This sign-in was not begun in this browser, or took too long. Begin again.' },
  'oidc.expired': { status: 400, detail: 'This sign-in took too long, or was used already. Begin again.' },
  'oidc.client': {
    status: 502,
    detail:
      'The sign-in service does not take Hearth’s client id or secret. Ask an administrator to look at the sign-in settings.',
  },
  'oidc.refused': {
    status: 401,
    detail: 'The sign-in service did not let you in. Begin again, or sign in with a password.',
  },
  'oidc.invalid': {
    status: 401,
    detail: 'The answer of the sign-in service could not be trusted, so nobody was signed in. Begin again.',
  },
  'oidc.claim': {
    status: 403,
    detail:
      'The sign-in service did not tell a usable user name ({claim}). Ask an administrator to look at the sign-in settings.',
  },
  'oidc.unknown_user': { status: 403, detail: 'You have no account here. Ask an administrator to make one.' },
  'oidc.name_taken': {
    status: 409,
    detail:
      'There is already a user named {name}. If that is you, sign in with your password and connect the account in the settings.',
  },
  'oidc.linked': { status: 409, detail: 'This account of the sign-in service belongs to another user here.' },
  'oidc.only_way': {
    status: 409,
    detail:
      'The account has no password, so the sign-in service is its only way in. Have an administrator set a password first.',
  },
  'patient.not_found': { status: 404, detail: 'There is no such patient.' },
  'document.not_found': { status: 404, detail: 'There is no such document.' },
  'document.file_missing': {
    status: 404,
    detail: 'The file of this document is not in the vault. Find it with “find candidates” or replace it.',
  },
  'document.no_page': { status: 404, detail: 'The document has no page {page}.' },
  'document.busy': { status: 409, detail: 'The document is being read. Cancel that or wait until it is done.' },
  'document.not_waiting': {
    status: 409,
    detail: 'The document is not waiting or being read, so there is nothing to cancel.',
  },
  'document.extension_differs': {
    status: 400,
    detail: 'The replacement must be of the same type ({expected}), but it is {actual}.',
  },
  'document.bad_name': {
    status: 400,
    detail: 'This file name cannot be used. Use letters, digits, spaces, dots and dashes, at most 200 characters.',
  },
  'document.not_rotatable': { status: 400, detail: 'Only PDF and image documents can be rotated.' },
  'document.doctor_not_found': { status: 404, detail: 'There is no such doctor.' },
  'document.facility_not_found': { status: 404, detail: 'There is no such facility.' },
  'document.event_not_found': { status: 404, detail: 'There is no such event of this patient.' },
  'document.provider_not_found': { status: 404, detail: 'There is no provider with the id {id}.' },
  'lab_result.not_found': { status: 404, detail: 'There is no such lab result.' },
  'lab_result.no_test': { status: 404, detail: 'There is no such lab test, or the patient has no results of it.' },
  'lab_result.bad_range': {
    status: 422,
    detail: 'The lower bound of the reference range lies above the upper one. Correct one of them.',
  },
  'encounter.not_found': { status: 404, detail: 'There is no such visit.' },
  'medication.not_found': { status: 404, detail: 'There is no such medicine.' },
  'vaccination.not_found': { status: 404, detail: 'There is no such vaccination.' },
  'event.not_found': { status: 404, detail: 'There is no such event.' },
  'event.dates': { status: 422, detail: 'The event ends before it begins. Correct one of the two dates.' },
  'event.ongoing_ended': {
    status: 422,
    detail: 'An event that goes on has no end. Give the end, or say that it goes on.',
  },
  'event.has_documents': {
    status: 409,
    detail: 'The event has documents, so it cannot go to another patient. Unlink them first.',
  },
  'event.other_patient': {
    status: 409,
    detail: 'The document and the event belong to different patients. Move the document first.',
  },
  'event.not_linked': { status: 404, detail: 'The document is not in this event.' },
  'link.itself': { status: 400, detail: 'A document cannot be linked to itself.' },
  'link.exists': { status: 409, detail: 'The two documents are linked in this way already.' },
  'link.not_found': { status: 404, detail: 'There is no such link at this document.' },
  'row.empty': { status: 422, detail: 'Nothing was entered. Fill in at least one field.' },
  'row.name_not_found': { status: 404, detail: 'There is no such entry among the names.' },
  'encounter.dates': { status: 422, detail: 'The discharge is before the admission. Correct one of the two dates.' },
  'medication.unnamed': { status: 422, detail: 'A medicine needs its brand name or its active ingredient.' },
  'name.not_found': { status: 404, detail: 'There is no such entry among the names.' },
  'name.alias_not_found': { status: 404, detail: 'There is no such spelling.' },
  'name.code_taken': {
    status: 409,
    detail: 'Another entry has this code already. Merge the two, or choose another code.',
  },
  'name.alias_taken': {
    status: 409,
    detail: 'This spelling belongs to “{entry}”. Move it from there, or merge the two entries.',
  },
  'name.alias_empty': { status: 422, detail: 'A spelling needs at least one letter or digit.' },
  'name.wrong_field': { status: 422, detail: 'Entries of this kind have no field “{field}”.' },
  'name.merge_itself': { status: 400, detail: 'An entry cannot be merged into itself. Choose two different ones.' },
  'name.merge_not_found': { status: 404, detail: 'There is no such merge, or it is too long ago.' },
  'name.merge_undone': { status: 409, detail: 'This merge is already undone.' },
  'name.merge_overtaken': {
    status: 409,
    detail:
      'This merge cannot be undone any more: its target went into another merge or was deleted, or a code is used again. Undo the later change first.',
  },
  'timeline.range': { status: 422, detail: 'The range ends before it begins.' },
  'trash.parent_gone': { status: 409, detail: 'What it belonged to is deleted. Put that back first.' },
  'upload.no_file': { status: 400, detail: 'The request carries no file. Send it as multipart field “{field}”.' },
  'upload.too_large': { status: 413, detail: 'The file is larger than the limit of {limit}.' },
  'upload.type': {
    status: 415,
    detail:
      'Files of this type are not supported. Send a PDF, an image (JPEG, PNG, TIFF, HEIC, WebP), DICOM or a ZIP of these.',
  },
  'upload.type_mismatch': {
    status: 415,
    detail: 'The file says it is {expected}, but its content is {actual}. Rename it or export it again.',
  },
  'upload.empty': { status: 400, detail: 'The file is empty.' },
  'upload.damaged': {
    status: 400,
    detail: 'The file is damaged or incomplete and cannot be opened. Export or scan it again.',
  },
  'upload.encrypted': {
    status: 400,
    detail: 'The file is protected by a password. Save a copy without the password and send that.',
  },
  'upload.too_many_pages': { status: 400, detail: 'The file has {pages} pages; the limit is {limit}. Split it.' },
  'upload.too_many_pixels': {
    status: 400,
    detail: 'The image has {megapixels} megapixels; the limit is {limit}. Make it smaller.',
  },
  'upload.dicom_unsupported': {
    status: 415,
    detail: 'Imaging files cannot be read yet. Keep them where they are for now.',
  },
  'archive.unsafe': {
    status: 400,
    detail: 'The archive holds an entry that would leave its folder or is a link. It was refused.',
  },
  'archive.bomb': { status: 413, detail: 'The archive expands beyond the limit ({limit}). It was refused.' },
  'archive.damaged': { status: 400, detail: 'The archive is damaged and cannot be opened. Make it again.' },
  'archive.encrypted': { status: 400, detail: 'The archive is protected by a password. Unpack it first.' },
  'archive.empty': { status: 400, detail: 'The archive holds no document that Hearth can read.' },
  'search.syntax': {
    status: 400,
    detail: 'This search cannot be understood. Use words, "a phrase", -without or field:word.',
  },
  'vault.outside': { status: 400, detail: 'This path does not lie inside the vault, or is not a plain file of it.' },
  'vault.not_found': { status: 404, detail: 'There is nothing at this place of the vault.' },
  'vault.fixed': {
    status: 400,
    detail:
      'This folder is one that Hearth needs where it is, or nothing may be put there. Use a folder below patients/ or unclassified/.',
  },
  'vault.into_itself': { status: 400, detail: 'A folder cannot be moved into itself.' },
  'vault.part_of_study': {
    status: 409,
    detail: 'This is a part of an imaging study. Move the whole folder, or delete the study.',
  },
  'vault.other_patient': {
    status: 409,
    detail:
      'A file stays in the folders of its patient. To give it to somebody else, open the document and choose the patient: the file moves along.',
  },
  'backup.not_found': { status: 404, detail: 'There is no such backup.' },
  'backup.busy': {
    status: 409,
    detail: 'Something is being done with backups already. Wait until it is done, or stop it.',
  },
  'backup.no_folder': { status: 409, detail: 'No folder for backups is chosen. Choose one first.' },
  'backup.absent': {
    status: 409,
    detail: 'The backup folder is not there. Plug in its disk, or choose another folder.',
  },
  'backup.foreign': {
    status: 409,
    detail:
      'This folder is not the one that was chosen for backups; perhaps its disk is not plugged in. Nothing was written.',
  },
  'backup.read_only': {
    status: 409,
    detail: 'The backup folder cannot be written. Check its permissions, or choose another one.',
  },
  'backup.folder_invalid': { status: 422, detail: 'Name the whole path of a folder, from the root of its disk.' },
  'backup.folder_inside': {
    status: 422,
    detail: 'A backup inside the vault would be lost with it. Choose a folder elsewhere, best on another disk.',
  },
  'backup.disk_full': {
    status: 507,
    detail: 'The disk of the backups is full. Free some space, or keep fewer of them.',
  },
  'backup.damaged': { status: 409, detail: 'This backup is damaged. Use another one.' },
  'backup.newer': {
    status: 409,
    detail: 'This backup was made by a newer version of Hearth. Install that version or a newer one, then restore it.',
  },
  'backup.interrupted': { status: 409, detail: 'It was interrupted before it was finished. Start it again.' },
  'backup.failed': { status: 500, detail: 'It did not succeed, and nothing was changed by it. The log says why.' },
  'trash.not_found': { status: 404, detail: 'This is no longer in the trash.' },
  'trash.place_taken': { status: 409, detail: 'It cannot be put back because something else stands in its place.' },
  'token.invalid': {
    status: 401,
    detail: 'The token in X-API-Token is missing or wrong. It stands in the settings of Hearth.',
  },
  'phone.not_found': { status: 404, detail: 'There is no such phone backup. Look through the folder again.' },
  'phone.session_invalid': { status: 401, detail: 'The backup is locked, or was open for too long. Unlock it again.' },
  'phone.session_foreign': { status: 403, detail: 'This session belongs to another backup. Unlock this one.' },
  'phone.passphrase_wrong': {
    status: 400,
    detail: 'The passphrase is wrong. It is the one that was chosen for backups of this phone, not its code.',
  },
  'phone.unreadable': {
    status: 500,
    detail: 'This backup cannot be read: its manifest is damaged or was not finished. Make a new backup of the phone.',
  },
  'phone.needs_device': {
    status: 404,
    detail: 'This is not readable without the device: its key never leaves the phone.',
  },
  'phone.file_not_found': { status: 404, detail: 'The backup has no such file.' },
  'phone.not_a_file': { status: 404, detail: 'This is a folder or a link, so that it has no content.' },
  'phone.file_missing': { status: 404, detail: 'The backup lists this file, but does not hold its content.' },
  'phone.gone': {
    status: 404,
    detail: 'The folder of this backup is no longer there. Plug in its disk, or look through the folder again.',
  },
  'phone.damaged': { status: 500, detail: 'This file is damaged in the backup and cannot be read.' },
  'phone.row_not_found': { status: 404, detail: 'There is no such entry in what was indexed of this backup.' },
  'phone.not_measurement': {
    status: 422,
    detail: 'Samples of the type “{type}” are no measurement that goes to the trends. Choose others.',
  },
  'pipeline.stopped': { status: 409, detail: 'Reading is stopped. Start it first.' },
} as const satisfies Record<string, { status: number; detail: string }>;

export type ErrorCode = keyof typeof ERRORS;
