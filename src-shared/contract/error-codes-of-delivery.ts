/** Error codes of what takes a share to its recipient: stamped files, the tunnel, mail and SMART Health Links. */
export const DELIVERY_ERRORS = {
  'share.watermark_failed': {
    status: 503,
    detail: 'The recipient’s name could not be stamped on this file, so it was not sent. Try again in a moment.',
  },
  'tunnel.program_missing': {
    status: 503,
    detail: 'The program {{program}} was not found. Install it, or choose another kind of tunnel.',
  },
  'tunnel.program_ended': {
    status: 502,
    detail: 'The tunnel ended: {{program}} stopped by itself. Check the connection to the internet.',
  },
  'tunnel.no_address': {
    status: 502,
    detail: '{{program}} did not report a public address in time. Check its settings and the connection.',
  },
  'tunnel.service_unreachable': {
    status: 502,
    detail: 'The tunnel service can’t be reached. Check the connection to the internet.',
  },
  'tunnel.host_not_found': { status: 502, detail: 'The server {{host}} can’t be found. Check its name.' },
  'tunnel.host_unreachable': {
    status: 502,
    detail: 'The server {{host}} does not answer. Check its name and port, and the connection.',
  },
  'tunnel.host_unknown': {
    status: 502,
    detail: 'The key of the server {{host}} is not known. Sign in once with ssh, compare the key, and try again.',
  },
  'tunnel.host_changed': {
    status: 502,
    detail: 'The server {{host}} has another key than before. Somebody may be in between: ask its administrator.',
  },
  'tunnel.sign_in_refused': {
    status: 502,
    detail: 'The server {{host}} refuses the user or the key. Check both, and use a key without a passphrase.',
  },
  'tunnel.port_refused': {
    status: 502,
    detail: 'The server {{host}} does not open the port. Choose another one, or allow forwarding there.',
  },
  'tunnel.invalid_setting': {
    status: 422,
    detail: 'The setting “{{field}}” of the tunnel can’t be used. Correct it.',
  },
  'mail.not_set_up': { status: 400, detail: 'E-mail is not set up. Enter a mail server and a sender in the settings.' },
  'mail.invalid_address': { status: 422, detail: 'This is not one plain e-mail address. Correct it.' },
  'mail.server_unreachable': {
    status: 502,
    detail: 'The mail server can’t be reached. Check its name, its port and the kind of encryption.',
  },
  'mail.no_encryption': {
    status: 502,
    detail: 'The mail server offers no encryption, so nothing was sent. Choose another port or server.',
  },
  'mail.certificate_rejected': {
    status: 502,
    detail: 'The certificate of the mail server is not valid, so nothing was sent. Check the name of the server.',
  },
  'mail.sign_in_failed': {
    status: 502,
    detail: 'The mail server refuses the user name or the password. Check both.',
  },
  'mail.recipient_rejected': { status: 502, detail: 'The mail server does not accept this address. Check it.' },
  'mail.sender_rejected': { status: 502, detail: 'The mail server does not accept this sender. Check the sender.' },
  'mail.failed': { status: 502, detail: 'The mail server did not accept the message. Try again later.' },
  'health_link.file_too_large': {
    status: 413,
    detail: 'A file is larger than {{limit}}, too large for a SMART Health Link. Leave it out, or share it as a page.',
  },
  'health_link.invalid_setting': {
    status: 422,
    detail: 'The setting “{{field}}” of the SMART Health Link can’t be used. Correct it.',
  },
  'health_link.too_large': {
    status: 413,
    detail: 'These documents have more than {{limit}} together, too much for a SMART Health Link. Choose fewer.',
  },
  'health_link.too_many': {
    status: 409,
    detail: 'This share has {{limit}} links for health apps that can be opened. End one of them first.',
  },
  'health_link.address_too_long': {
    status: 409,
    detail:
      'The address of the links is longer than a SMART Health Link allows ({{limit}} characters). Set a shorter one.',
  },
  'health_link.file_not_showable': {
    status: 415,
    detail: 'This kind of file can’t be drawn for a link. Leave it out.',
  },
  'health_link.not_found': { status: 404, detail: 'This link does not exist. It may have been deleted.' },
} as const;
