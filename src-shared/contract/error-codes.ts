import { DELIVERY_ERRORS } from './error-codes-of-delivery.ts';
import { DICOM_WEB_ERRORS } from './error-codes-of-dicom-web.ts';
import { IMAGING_ERRORS } from './error-codes-of-imaging.ts';
import { IMPORT_ERRORS } from './error-codes-of-imports.ts';
import { PROVIDER_ERRORS } from './error-codes-of-providers.ts';
import { READING_ERRORS } from './error-codes-of-reading.ts';
import { SHARE_ERRORS } from './error-codes-of-shares.ts';
import { TICKER_ERRORS } from './error-codes-of-tickers.ts';
import { VAULT_ERRORS } from './error-codes-of-vaults.ts';

/**
 * Every error code of the API with its HTTP status and its English text: what happened, and what to do.
 * This is the only place for the English text: the API sends it as `detail`, and `locales/en.ts` takes it from here.
 * `{{name}}` is a parameter of the error; it is sent as `params`, so that each language can fill it into its own text.
 */
export const ERRORS = {
  'request.invalid': { status: 422, detail: 'Some fields are not valid. Correct them and try again.' },
  'request.malformed': {
    status: 400,
    detail: 'The request is neither valid JSON nor valid multipart form data. Check its body and its Content-Type.',
  },
  'request.too_large': { status: 413, detail: 'The request is larger than {{limit}}. Send less at once.' },
  'request.timed_out': { status: 408, detail: 'The request took too long to arrive. Check the connection and retry.' },
  'request.wrong_window': { status: 403, detail: 'This Hearth answers only its own window. Use that one.' },
  'request.wrong_host': { status: 421, detail: 'This address is not Hearth’s own. Open Hearth at http://127.0.0.1.' },
  'request.cross_site': {
    status: 403,
    detail: 'Requests from other sites are refused. A program must send X-Requested-With: XMLHttpRequest.',
  },
  'request.not_found': { status: 404, detail: 'This address does not exist. Check it for typing errors.' },
  'request.method_not_allowed': {
    status: 405,
    detail: 'This address does not support that method. See the API description.',
  },
  'request.aborted': { status: 400, detail: 'The upload was interrupted and nothing was saved. Try again.' },
  'server.internal_error': {
    status: 500,
    detail: 'Something went wrong in Hearth, but no data was lost. Try again, and check the log if it happens again.',
  },
  'server.disk_full': {
    status: 507,
    detail: 'The disk is full and nothing was saved. Free up some space and try again.',
  },
  'server.read_only': {
    status: 507,
    detail: 'Hearth can’t write to the vault folder, so nothing was saved. Check the folder’s permissions.',
  },
  'server.stopping': { status: 503, detail: 'Hearth is shutting down. Try again in a moment.' },
  'auth.required': { status: 401, detail: 'Sign in to continue.' },
  'auth.invalid_credentials': { status: 401, detail: 'Wrong user name or password. Try again.' },
  'auth.rate_limited': { status: 429, detail: 'Too many failed attempts. Try again in {{minutes}} min.' },
  'auth.forbidden': { status: 403, detail: 'You don’t have access to this. Ask an administrator.' },
  'auth.read_only': {
    status: 403,
    detail: 'You can view this but not change it. Ask an administrator for more access.',
  },
  'setup.already_completed': { status: 400, detail: 'Hearth is already set up. Sign in instead.' },
  'sample.unavailable': {
    status: 409,
    detail: 'The sample household can’t be opened here. Start Hearth on your own computer with “npm start -- --demo”.',
  },
  'sample.not_open': { status: 409, detail: 'The sample household is not open. Reload the page.' },
  'password.weak': {
    status: 422,
    detail: 'This password is too easy to guess. Use at least 12 characters that aren’t a common password.',
  },
  'password.incorrect': { status: 403, detail: 'The current password is wrong. Enter it again.' },
  'user.not_found': { status: 404, detail: 'This user does not exist.' },
  'user.name_taken': { status: 409, detail: 'This user name is already taken. Choose another one.' },
  'user.cannot_delete_self': { status: 400, detail: 'You can’t delete your own account. Ask another administrator.' },
  'user.last_admin': {
    status: 400,
    detail: 'This is the only administrator. Make another user an administrator first.',
  },
  'access.not_found': {
    status: 404,
    detail: 'This user has no access to this patient, so there is nothing to remove.',
  },
  'session.not_found': { status: 404, detail: 'This session does not exist or has already ended.' },
  'settings.key_unreadable': {
    status: 500,
    detail: 'The key that protects saved passwords can’t be read, so nothing was saved. See the log for details.',
  },
  'settings.only_here': {
    status: 403,
    detail:
      'This setting runs a program. Change it in a browser on the computer where Hearth runs, or in its configuration.',
  },
  'prompt.not_found': { status: 404, detail: 'This prompt does not exist.' },
  'oidc.disabled': { status: 404, detail: 'The sign-in service is not set up. Sign in with a password.' },
  'oidc.provider_unreachable': {
    status: 502,
    detail: 'The sign-in service can’t be reached. Try again later, or sign in with a password.',
  },
  'oidc.state_mismatch': {
    status: 400,
    detail: 'This sign-in was started in another browser or took too long. Start again.',
  },
  'oidc.state_expired': { status: 400, detail: 'This sign-in took too long or was already used. Start again.' },
  'oidc.invalid_client': {
    status: 502,
    detail: 'The sign-in service rejected Hearth’s client ID or secret. Ask an administrator to check the settings.',
  },
  'oidc.access_denied': {
    status: 401,
    detail: 'The sign-in service denied access. Try again, or sign in with a password.',
  },
  'oidc.invalid_token': { status: 401, detail: 'The reply of the sign-in service could not be verified. Try again.' },
  'oidc.missing_claim': {
    status: 403,
    detail: 'The sign-in service sent no usable user name in “{{claim}}”. Ask an administrator to check the settings.',
  },
  'oidc.unknown_user': { status: 403, detail: 'You don’t have an account here. Ask an administrator to create one.' },
  'oidc.name_taken': {
    status: 409,
    detail: 'A user named {{name}} already exists. If that’s you, sign in with your password and link the account.',
  },
  'oidc.account_linked_elsewhere': {
    status: 409,
    detail: 'This account of the sign-in service is already linked to another user. Disconnect it there first.',
  },
  'oidc.no_password': {
    status: 409,
    detail: 'This user has no password and could no longer sign in. Have an administrator set a password first.',
  },
  'passkey.address_without_name': {
    status: 400,
    detail: 'Passkeys need an address with a name. Open Hearth at localhost instead of an IP address, or over HTTPS.',
  },
  'passkey.not_accepted': {
    status: 401,
    detail: 'This passkey was not accepted. Try again, or sign in with a password.',
  },
  'passkey.already_registered': { status: 409, detail: 'This passkey is already in use. Choose another device.' },
  'passkey.too_many': {
    status: 409,
    detail: 'This account already has {{limit}} passkeys. Remove one that you no longer use.',
  },
  'passkey.not_found': { status: 404, detail: 'This passkey no longer exists. Reload the list.' },
  'patient.not_found': {
    status: 404,
    detail: 'This patient does not exist. If you deleted them, restore them from the trash.',
  },
  'patient.has_documents': {
    status: 409,
    detail: 'This person has documents meanwhile, so adding them can’t be undone. Move the documents first.',
  },
  'document.not_found': {
    status: 404,
    detail: 'This document does not exist. If you deleted it, restore it from the trash.',
  },
  'document.file_missing': {
    status: 404,
    detail: 'The file of this document is missing from the vault. Search for it or replace it.',
  },
  'document.no_file': {
    status: 404,
    detail: 'This imaging study waits for its report, so there is no file. Attach the report to the study.',
  },
  'document.file_taken': {
    status: 409,
    detail: 'The document “{{name}}” already has this file. Choose another one, or delete one of the documents.',
  },
  'document.page_not_found': { status: 404, detail: 'The document has no page {{page}}. Choose another one.' },
  'document.region_not_found': { status: 404, detail: 'This translation does not exist. Refresh the document.' },
  'chat.no_vectors': {
    status: 503,
    detail:
      'Search by meaning needs sqlite-vec, which is not available for this computer. Questions still find the words.',
  },
  'chat.stopped': { status: 409, detail: 'The question was stopped, so there is no answer. You can ask it again.' },
  'document.busy': { status: 409, detail: 'The document is being read. Wait until that is finished, or cancel it.' },
  'document.not_queued': { status: 409, detail: 'The document is not being read, so there is nothing to cancel.' },
  'document.extension_mismatch': {
    status: 400,
    detail: 'The new file must be of the same type ({{expected}}), but it is {{actual}}. Choose another file.',
  },
  'document.invalid_name': {
    status: 400,
    detail: 'This file name can’t be used. Use up to 200 letters, digits, spaces, dots and hyphens.',
  },
  'document.not_rotatable': { status: 400, detail: 'This document can’t be rotated. Only PDFs and images can.' },
  'document.doctor_not_found': { status: 404, detail: 'This doctor does not exist. Choose another one.' },
  'document.facility_not_found': { status: 404, detail: 'This facility does not exist. Choose another one.' },
  'document.event_not_found': { status: 404, detail: 'This patient has no such event. Choose another one.' },
  'document.provider_not_found': { status: 404, detail: 'The provider “{{id}}” does not exist. Choose another one.' },
  'lab_result.not_found': {
    status: 404,
    detail: 'This lab result does not exist. If you deleted it, restore it from the trash.',
  },
  'lab_result.test_not_found': {
    status: 404,
    detail: 'This lab test does not exist, or the patient has no results for it.',
  },
  'lab_result.invalid_range': {
    status: 422,
    detail: 'The lower limit of the reference range is above the upper limit. Correct one of them.',
  },
  'encounter.not_found': {
    status: 404,
    detail: 'This visit does not exist. If you deleted it, restore it from the trash.',
  },
  'medication.not_found': {
    status: 404,
    detail: 'This medicine does not exist. If you deleted it, restore it from the trash.',
  },
  'vaccination.not_found': {
    status: 404,
    detail: 'This vaccination does not exist. If you deleted it, restore it from the trash.',
  },
  'event.not_found': {
    status: 404,
    detail: 'This event does not exist. If you deleted it, restore it from the trash.',
  },
  'event.invalid_date_range': { status: 422, detail: 'The event ends before it begins. Correct one of the dates.' },
  'event.ongoing_with_end': {
    status: 422,
    detail: 'An ongoing event can’t have an end date. Remove the date, or turn off “Ongoing”.',
  },
  'event.has_documents': {
    status: 409,
    detail: 'The event has documents, so it can’t be moved to another patient. Remove them from the event first.',
  },
  'event.patient_mismatch': {
    status: 409,
    detail: 'The document and the event belong to different patients. Move the document first.',
  },
  'event.not_linked': { status: 404, detail: 'The document is not part of this event.' },
  'link.self_reference': { status: 400, detail: 'A document can’t be linked to itself. Choose another document.' },
  'link.exists': { status: 409, detail: 'These documents are already linked in this way.' },
  'link.not_found': { status: 404, detail: 'This document has no such link.' },
  'row.no_values': { status: 422, detail: 'Nothing was entered. Fill in at least one field.' },
  'row.name_not_found': { status: 404, detail: 'This entry does not exist in Names. Choose another one.' },
  'encounter.invalid_date_range': {
    status: 422,
    detail: 'The discharge is before the admission. Correct one of the dates.',
  },
  'medication.name_missing': { status: 422, detail: 'Enter the brand name or the active ingredient of the medicine.' },
  'name.not_found': {
    status: 404,
    detail: 'This entry does not exist in Names. If you deleted it, restore it from the trash.',
  },
  'name.alias_not_found': { status: 404, detail: 'This spelling does not exist.' },
  'name.code_taken': {
    status: 409,
    detail: 'Another entry already has this code. Merge the two entries, or choose another code.',
  },
  'name.alias_taken': {
    status: 409,
    detail: 'This spelling belongs to “{{entry}}”. Move it from there, or merge the two entries.',
  },
  'name.alias_empty': { status: 422, detail: 'This spelling is empty. Use at least one letter or digit.' },
  'name.unknown_field': { status: 422, detail: 'Entries of this kind don’t have the field “{{field}}”.' },
  'name.self_merge': { status: 400, detail: 'An entry can’t be merged with itself. Select two different entries.' },
  'name.merge_not_found': { status: 404, detail: 'This merge does not exist or is too old to undo.' },
  'name.merge_already_undone': { status: 409, detail: 'This merge has already been undone.' },
  'name.merge_superseded': {
    status: 409,
    detail:
      'This merge can no longer be undone because the entry was later merged, deleted or its code reused. ' +
      'Undo that change first.',
  },
  'timeline.invalid_range': { status: 422, detail: 'The range ends before it begins. Correct one of the dates.' },
  'trash.parent_deleted': { status: 409, detail: 'This belongs to something that was deleted. Restore that first.' },
  'upload.no_file': { status: 400, detail: 'The request has no file. Send it as the multipart field “{{field}}”.' },
  'upload.too_large': { status: 413, detail: 'The file is larger than {{limit}}. Split it or make it smaller.' },
  'upload.too_large_for_disk': {
    status: 413,
    detail: 'The file is too large for the file system of the vault. Use a disk with another format.',
  },
  'upload.unsupported_type': {
    status: 415,
    detail: 'This file type is not supported. Use PDF, an image (JPEG, PNG, TIFF, HEIC, WebP) or a ZIP of these.',
  },
  'upload.type_mismatch': {
    status: 415,
    detail: 'The file name ends in {{expected}}, but the content is {{actual}}. Rename the file or export it again.',
  },
  'upload.empty': { status: 400, detail: 'The file is empty. Export or scan it again.' },
  'upload.damaged': {
    status: 400,
    detail: 'The file is damaged or incomplete and can’t be opened. Export or scan it again.',
  },
  'upload.encrypted': {
    status: 400,
    detail: 'The file is protected by a password. Save a copy without a password and add that.',
  },
  'upload.too_many_pages': {
    status: 400,
    detail: 'The file has {{pages}} pages, but only {{limit}} are allowed. Split it.',
  },
  'upload.too_many_pixels': {
    status: 400,
    detail: 'The image has {{megapixels}} megapixels, but only {{limit}} are allowed. Make it smaller.',
  },
  'upload.dicom_directory': {
    status: 415,
    detail: 'This file only lists the images of a disc. Upload the images, or the whole disc as a ZIP.',
  },
  'archive.unsafe': {
    status: 400,
    detail: 'The archive has links or paths outside its own folder. Unpack it and add the files themselves.',
  },
  'archive.unsafe_member': { status: 400, detail: 'A link, or a path outside the archive. This file was left out.' },
  'archive.gave_up': { status: 400, detail: 'Too many files can’t be read. Unpack the archive and add the documents.' },
  'archive.too_many_files': { status: 413, detail: 'The archive has more than {{limit}} files. Split it.' },
  'archive.too_large': { status: 413, detail: 'The archive is larger than {{limit}} when unpacked. Split it.' },
  'archive.ratio_too_high': {
    status: 413,
    detail: 'The archive unpacks to over {{limit}} times its size. Unpack it and add the files themselves.',
  },
  'archive.damaged': { status: 400, detail: 'The archive is damaged and can’t be opened. Create it again.' },
  'archive.encrypted': {
    status: 400,
    detail: 'The archive is protected by a password. Unpack it and add the files themselves.',
  },
  'archive.empty': {
    status: 400,
    detail: 'The archive contains no documents that Hearth can read. Use PDFs or images.',
  },
  'search.syntax': {
    status: 400,
    detail: 'This search can’t be understood. Use words, "a phrase", -without or field:word.',
  },
  'backup.not_found': { status: 404, detail: 'This backup does not exist. It may have been deleted.' },
  'backup.busy': { status: 409, detail: 'Another backup task is running. Wait until it is finished, or stop it.' },
  'backup.folder_not_set': { status: 409, detail: 'No backup folder is set. Choose one first.' },
  'backup.folder_missing': {
    status: 409,
    detail: 'The backup folder can’t be found. Connect its disk, or choose another folder.',
  },
  'backup.wrong_disk': {
    status: 409,
    detail: 'This is not the folder that was set up for backups, so nothing was saved. Connect the right disk.',
  },
  'backup.folder_read_only': {
    status: 409,
    detail: 'Hearth can’t write to the backup folder. Check its permissions, or choose another folder.',
  },
  'backup.folder_unreadable': {
    status: 409,
    detail: 'Hearth may not look into this folder. Check its permissions, or choose another one.',
  },
  'backup.folder_invalid': { status: 422, detail: 'Enter the full path of the folder.' },
  'backup.folder_inside': {
    status: 422,
    detail: 'A backup inside the vault would be lost with it. Choose a folder on another disk.',
  },
  'backup.disk_full': { status: 507, detail: 'The backup disk is full. Free up some space, or keep fewer backups.' },
  'backup.damaged': { status: 409, detail: 'This backup is damaged. Use another one.' },
  'backup.newer_version': {
    status: 409,
    detail: 'This backup was made by a newer version of Hearth. Update Hearth, then restore it.',
  },
  'backup.other_password': {
    status: 409,
    detail: 'This backup is encrypted under another key than this vault. Restore it with “hearth restore”.',
  },
  'backup.not_encrypted': {
    status: 409,
    detail: 'This backup was made before the vault was encrypted. Restore it into a new folder with “hearth restore”.',
  },
  'backup.download_encrypted': {
    status: 409,
    detail: 'The database of an encrypted vault can’t be downloaded. Make a backup instead.',
  },
  'backup.interrupted': { status: 409, detail: 'The backup was interrupted. Start it again.' },
  'backup.failed': { status: 500, detail: 'The backup failed and nothing was changed. See the log for details.' },
  'trash.not_found': { status: 404, detail: 'This is no longer in the trash. It was restored or deleted for good.' },
  'trash.path_conflict': {
    status: 409,
    detail: 'This can’t be restored because something else is in its place. Move or rename that first.',
  },
  'token.invalid': {
    status: 401,
    detail: 'The token in X-API-Token is missing or wrong. You can find it in Hearth’s settings.',
  },
  ...DELIVERY_ERRORS,
  ...DICOM_WEB_ERRORS,
  ...IMAGING_ERRORS,
  ...IMPORT_ERRORS,
  ...PROVIDER_ERRORS,
  ...READING_ERRORS,
  ...SHARE_ERRORS,
  ...TICKER_ERRORS,
  ...VAULT_ERRORS,
  'pipeline.stopped': { status: 409, detail: 'Reading is stopped. Resume it first.' },
} as const satisfies Record<string, { status: number; detail: string }>;

type Texts = Readonly<Record<keyof typeof ERRORS, string>>;
const textsOf = (errors: typeof ERRORS): Texts =>
  Object.fromEntries(Object.entries(errors).map(([code, { detail }]) => [code, detail])) as Texts;

/** The English text of every code, for the English message catalog. Pages without the catalog load none of it. */
export const ERROR_TEXTS: Texts = /* @__PURE__ */ textsOf(ERRORS);
