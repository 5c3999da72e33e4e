/** Error codes of shares, for their owners and for recipients. Part of `ERRORS`. */
export const SHARE_ERRORS = {
  'share.not_found': { status: 404, detail: 'This share does not exist. It may have been deleted.' },
  'share.ended': { status: 409, detail: 'This share has ended. Create a new one.' },
  'share.documents_not_shareable': {
    status: 400,
    detail: 'Only documents of this person can be shared. Leave out the others.',
  },
  'share.too_many_documents': { status: 400, detail: 'A share holds at most {{limit}} documents. Choose fewer.' },
  'share.email_not_set_up': {
    status: 400,
    detail: 'Codes can’t be sent by e-mail until an e-mail server is set up. Read the code aloud instead.',
  },
  'share.email_invalid': { status: 400, detail: 'The code is sent to the contact. Enter one e-mail address there.' },
  'share.name_not_printable': {
    status: 400,
    detail: 'This name can’t be printed on the pages. Enter one with letters.',
  },
  // One answer for a wrong code, an unknown link and an ended share, so that nobody learns which one it was.
  'share.code_wrong': { status: 401, detail: 'This code is not valid. Check it, or request a new one.' },
  'share.session_ended': { status: 401, detail: 'Your access has ended. Request a new code to continue.' },
  'share.place_expired': { status: 410, detail: 'Your place in the queue has expired. Request a new code.' },
  'share.file_not_showable': {
    status: 415,
    detail: 'This kind of file can’t be shown here. Ask the sender for it in another way.',
  },
  'share.text_unavailable': {
    status: 503,
    detail: 'The text of this page can’t be read at the moment. Look at the page instead, or try again.',
  },
  'share.too_many_requests': { status: 429, detail: 'Too many requests at once. Try again in a moment.' },
  'share.language_not_offered': {
    status: 400,
    detail: 'Translations into this language are not offered. Choose one of the list.',
  },
  'share.translation_unavailable': {
    status: 503,
    detail: 'Translation is not available here. Ask the sender for a translation.',
  },
} as const;
