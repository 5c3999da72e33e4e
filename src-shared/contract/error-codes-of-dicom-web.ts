/** The error codes of DICOMweb and of the access that imaging viewers have, as in `error-codes.ts`. */
export const DICOM_WEB_ERRORS = {
  'dicomweb.token_invalid': {
    status: 401,
    detail: 'The token in “Authorization: Bearer” is missing, wrong or revoked. Make one in Hearth’s settings.',
  },
  'dicomweb.only_this_computer': {
    status: 403,
    detail: 'Imaging viewers can read studies only on the computer on which Hearth runs. Open the viewer there.',
  },
  'dicomweb.origin_not_allowed': {
    status: 403,
    detail: 'Pages of this address may not use the token. Make one for this address in Hearth’s settings.',
  },
  'dicomweb.unknown_attribute': {
    status: 400,
    detail: 'The query names the unknown attribute “{{name}}”. Use keywords of DICOM or tags of eight digits.',
  },
  'dicomweb.invalid_parameter': {
    status: 400,
    detail: 'The parameter “{{name}}” of the query can’t be “{{value}}”. Correct it, or leave it out.',
  },
  'dicomweb.not_acceptable': {
    status: 406,
    detail: 'None of the accepted media types can be made of this object. Accept “*/*” or its transfer syntax.',
  },
  'dicomweb.too_many': {
    status: 413,
    detail: 'The search concerns more than {{limit}} objects. Name a study or more attributes.',
  },
  'dicomweb.token_not_found': { status: 404, detail: 'This access does not exist any more. Refresh the list.' },
  'dicomweb.too_many_tokens': {
    status: 409,
    detail: 'There are {{limit}} tokens for imaging viewers already. Revoke one that is not used.',
  },
} as const satisfies Record<string, { status: number; detail: string }>;
