import { asRecipient, at, onShare, type Make } from './example-makers.ts';

/** Valid calls about shares, of the household and of recipients. */
export const SHARE_EXAMPLES: Record<string, Make> = {
  'POST /api/shares': ({ make, patient }) => ({
    path: '/api/shares',
    body: {
      patient_id: patient,
      document_ids: [make.document()],
      recipient_label: 'Dr. Frisch',
      recipient_contact: '+41 31 555 01 02',
      expires_in_days: 3,
    },
  }),
  'GET /api/shares': ({ make, patient }) => {
    make.share();
    return { path: `/api/shares?patient_id=${patient}` };
  },
  'GET /api/shares/listener': at('/api/shares/listener'),
  'DELETE /api/shares/listener': at('/api/shares/listener'),
  'POST /api/shares/listener': at('/api/shares/listener'),
  'GET /api/shares/delivery': at('/api/shares/delivery'),
  'DELETE /api/shares/{share_id}': onShare(''),
  'POST /api/shares/{share_id}/reopen': onShare('/reopen'),
  'POST /api/shares/{share_id}/link': onShare('/link'),
  'GET /api/shares/unopenable': ({ make, patient }) => ({
    path: `/api/shares/unopenable?patient_id=${patient}&document_ids=${make.document()}`,
  }),
  'DELETE /api/shares/{share_id}/purge': onShare('/purge'),
  'GET /api/shares/{share_id}/audit': onShare('/audit?include_active_otp=true'),
  'GET /api/shares/{share_id}/active-otp': onShare('/active-otp'),
  'DELETE /api/shares/{share_id}/active-otp': onShare('/active-otp'),
  'GET /api/shares/{share_id}/documents': onShare('/documents'),
  'DELETE /api/shares/{share_id}/documents/{document_id}': ({ make }) => {
    const share = make.share();
    return { path: `/api/shares/${share.id}/documents/${share.document}` };
  },
  'POST /api/shares/{share_id}/documents': ({ make }) => ({
    path: `/api/shares/${make.share().id}/documents`,
    body: { document_ids: [make.document()] },
  }),
  'GET /api/shares/{share_id}/sessions': ({ make }) => {
    const share = make.share();
    make.recipient(share);
    make.waiter(share);
    return { path: `/api/shares/${share.id}/sessions` };
  },
  'DELETE /api/shares/{share_id}/sessions/{rowid}': ({ make }) => {
    const share = make.share();
    return { path: `/api/shares/${share.id}/sessions/${make.recipient(share).rowid}` };
  },
  'DELETE /api/shares/{share_id}/queue/{rowid}': ({ make }) => {
    const share = make.share();
    return { path: `/api/shares/${share.id}/queue/${make.waiter(share).rowid}` };
  },
  'POST /api/shares/{share_id}/health-links': ({ make }) => {
    const share = make.share();
    return {
      path: `/api/shares/${share.id}/health-links`,
      body: {
        ...{ document_ids: [share.document], passcode: '4821 9037', expires_in_hours: 24, is_one_time: true },
        label: 'For Dr. Frisch',
      },
    };
  },
  'GET /api/shares/{share_id}/health-links': ({ make }) => {
    const share = make.share();
    make.healthLink(share);
    return { path: `/api/shares/${share.id}/health-links` };
  },
  'DELETE /api/shares/{share_id}/health-links/{link_id}': ({ make }) => {
    const share = make.share();
    return { path: `/api/shares/${share.id}/health-links/${make.healthLink(share).id}` };
  },

  'POST /api/settings/smtp/test': () => ({
    path: '/api/settings/smtp/test',
    body: { to: 'ann@example.org' },
    answers: 'mail.not_set_up',
  }),

  'GET /api/share/{token}/info': ({ make }) => ({ path: `/api/share/${make.share().token}/info` }),
  'POST /api/share/{token}/request-otp': ({ make }) => ({ path: `/api/share/${make.share().token}/request-otp` }),
  'POST /api/share/{token}/verify-otp': ({ make }) => ({
    path: `/api/share/no-such-link-${make.next()}/verify-otp`,
    body: { code: '123456' },
    answers: 'share.code_wrong',
  }),
  'POST /api/share/claim': ({ make }) => ({ path: '/api/share/claim', cookie: make.waiter(make.share()).cookie }),
  'DELETE /api/share/queue': ({ make }) => ({ path: '/api/share/queue', cookie: make.waiter(make.share()).cookie }),
  'POST /api/share/heartbeat': asRecipient(() => '/heartbeat'),
  'POST /api/share/logout': asRecipient(() => '/logout', { body: {} }),
  'GET /api/share/me': asRecipient(() => '/me'),
  'GET /api/share/documents/{doc_id}': asRecipient((document) => `/documents/${document}`),
  'GET /api/share/documents/{doc_id}/file': asRecipient((document) => `/documents/${document}/file`),
  'GET /api/share/documents/{doc_id}/series/{series_id}/frame/{index}': ({ make }) => {
    const { document, series } = make.study();
    const share = make.share();
    make.addToShare(share, document);
    return {
      path: `/api/share/documents/${document}/series/${series}/frame/2?wc=40&ww=400`,
      cookie: make.recipient(share).cookie,
    };
  },
  'GET /api/share/documents/{doc_id}/pages/{page}/image': asRecipient(
    (document) => `/documents/${document}/pages/1/image`,
  ),
  'GET /api/share/documents/{doc_id}/pages/{page}/text': asRecipient(
    (document) => `/documents/${document}/pages/1/text`,
  ),
  'GET /api/share/documents/{doc_id}/region-translations/{region_id}/thumbnail': ({ make }) => {
    const share = make.share();
    return {
      path: `/api/share/documents/${share.document}/region-translations/${make.region(share.document)}/thumbnail`,
      cookie: make.recipient(share).cookie,
    };
  },
  // No provider translates here.
  'POST /api/share/documents/{doc_id}/translate-region': asRecipient(
    (document) => `/documents/${document}/translate-region`,
    { body: { page: 1, bbox: { x: 0.1, y: 0.1, w: 0.5, h: 0.2 } }, answers: 'share.translation_unavailable' },
  ),
  'POST /api/share/documents/{doc_id}/translate': asRecipient((document) => `/documents/${document}/translate`, {
    body: { target_language: 'German' },
    answers: 'share.translation_unavailable',
  }),
  'DELETE /api/vault/check': at('/api/vault/check'),
};
