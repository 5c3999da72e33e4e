import type { Endpoint, Subject } from './endpoint.ts';
import type { ErrorCode, PlainErrorCode } from './errors.ts';

/** The error code for a missing record of each kind. */
export const NOT_FOUND_CODES: Record<Subject, PlainErrorCode> = {
  patient: 'patient.not_found',
  document: 'document.not_found',
  trash: 'trash.not_found',
  event: 'event.not_found',
  lab_result: 'lab_result.not_found',
  encounter: 'encounter.not_found',
  medication: 'medication.not_found',
  vaccination: 'vaccination.not_found',
  imaging_study: 'imaging.not_found',
  share: 'share.not_found',
};

/** Codes implied by a declaration: by its access rule, its schemas and its body. */
export function impliedErrors({ access, method, body, file }: Endpoint): ErrorCode[] {
  // Every endpoint refuses unknown parameters.
  const codes = new Set<ErrorCode>(['request.invalid']);
  if (access === 'token' || access === 'unlocked') codes.add('token.invalid');
  else if (access === 'recipient') codes.add('share.session_ended');
  else if (access === 'viewer')
    codes.add('dicomweb.token_invalid').add('dicomweb.only_this_computer').add('dicomweb.origin_not_allowed');
  else if (access !== 'public') codes.add('auth.required');
  if (access === 'editor') codes.add('auth.read_only');
  else if (typeof access === 'object') {
    const { from: _from, ...needs } = access;
    for (const [subject, need] of Object.entries(needs) as [Subject, string][]) {
      codes.add('auth.forbidden').add(NOT_FOUND_CODES[subject]);
      if (need !== 'read') codes.add('auth.read_only');
    }
  } else if (access === 'admin' || access === 'admin-or-self') codes.add('auth.forbidden');
  if (body) codes.add('request.malformed').add('request.too_large');
  if (file) {
    codes.add('request.malformed').add('request.aborted').add('upload.no_file');
    codes.add('upload.too_large').add('upload.too_large_for_disk');
  }
  if (method !== 'GET') codes.add('request.cross_site');
  return [...codes];
}
