import { tmpdir } from 'node:os';
import { at, LATER, onDocument, onDocuments, onEvent, onName, type Make } from './example-makers.ts';
import { VAULT_EXAMPLES } from './vault-examples.ts';
import { IMAGING_EXAMPLES } from './imaging-examples.ts';
import { PASSKEY_EXAMPLES } from './passkey-examples.ts';
import { PROVIDER_EXAMPLES } from './provider-examples.ts';
import { SHARE_EXAMPLES } from './share-examples.ts';
import { TICKER_EXAMPLES } from './ticker-examples.ts';

/** A valid call for every endpoint of the contract, by method and path. Whoever adds an endpoint adds its line. */
export const EXAMPLES: Record<string, Make> = {
  'GET /health': at('/health'),
  'GET /api/setup/status': at('/api/setup/status'),
  'POST /api/setup/complete': () => ({
    path: '/api/setup/complete',
    body: {
      username: 'late',
      password: 'correct horse battery',
      patient_name: 'Elena Keller',
      patient_date_of_birth: '1979-05-09',
      patient_sex: 'F',
    },
    answers: 'setup.already_completed',
  }),
  'POST /api/auth/login': at('/api/auth/login', { username: 'ann', password: 'correct horse battery' }),
  'POST /api/auth/logout': at('/api/auth/logout'),
  'GET /api/auth/me': at('/api/auth/me'),
  'GET /api/sample': at('/api/sample'),
  'POST /api/sample/open': () => ({ path: '/api/sample/open', answers: 'setup.already_completed' }),
  'POST /api/sample/close': () => ({ path: '/api/sample/close', answers: 'sample.not_open' }),

  'GET /api/patients': at('/api/patients'),
  'POST /api/patients': at('/api/patients', { display_name: 'Luca Rossi', date_of_birth: '1990-02-03', sex: 'M' }),
  'GET /api/patients/{id}': ({ make }) => ({ path: `/api/patients/${make.patient()}` }),
  'PATCH /api/patients/{id}': ({ make }) => ({
    path: `/api/patients/${make.patient()}`,
    body: { display_name: 'Elena K.', date_of_birth: null, sex: 'F' },
  }),
  'DELETE /api/patients/{id}': ({ make }) => ({ path: `/api/patients/${make.patient()}` }),

  'GET /api/documents': ({ patient }) => ({
    path:
      `/api/documents?patient_id=${patient}&type=lab_test&date_from=2020-01-01&date_to=2030-01-01&status=done,failed` +
      '&q=letter&sort=doctor&order=asc&limit=10&offset=0',
  }),
  'GET /api/documents/failed': at('/api/documents/failed'),
  'POST /api/documents/retry-all-failed': at('/api/documents/retry-all-failed'),
  'POST /api/documents/schedule-batch': onDocuments('/api/documents/schedule-batch', () => ({ process_at: LATER })),
  'GET /api/documents/facets': ({ patient }) => ({ path: `/api/documents/facets?patient_id=${patient}&q=letter` }),
  'GET /api/documents/near-hits': ({ patient }) => ({
    path: `/api/documents/near-hits?q=lettre&patient_id=${patient}`,
  }),
  'GET /api/documents/suggest': ({ patient }) => ({ path: `/api/documents/suggest?q=let&patient_id=${patient}` }),
  'POST /api/documents/inspect': ({ make }) => ({ path: '/api/documents/inspect', file: make.pdf() }),
  'POST /api/documents/upload': ({ make, patient }) => ({
    path: `/api/documents/upload?patient_id=${patient}`,
    file: make.pdf(),
  }),
  'GET /api/documents/{id}': onDocument(''),
  'GET /api/documents/{id}/file': onDocument('/file?download=1'),
  'GET /api/documents/{id}/pages': onDocument('/pages'),
  'GET /api/documents/{id}/pages/{page}/image': onDocument('/pages/1/image?width=100'),
  'GET /api/documents/{id}/thumbnail': onDocument('/thumbnail'),
  'PATCH /api/documents/{id}': onDocument('', {
    doc_type: 'invoice',
    event_date: '2025-03-04',
    issued_date: null,
    doctor_name: 'Dr. Peter Frisch',
    facility_name: 'Klinik Aare',
    specialty_original: 'Kardiologie',
    notes: 'seen',
    tags: ['iron'],
    user_notes: null,
  }),
  'DELETE /api/documents/{id}': onDocument(''),
  'POST /api/documents/{id}/move': ({ make }) => ({
    path: `/api/documents/${make.document()}/move`,
    body: { patient_id: make.patient() },
  }),
  'POST /api/documents/{id}/reprocess': onDocument('/reprocess', { mode: 'llm', llm_provider_id: 'builtin' }),
  'POST /api/documents/{id}/cancel': ({ make }) => ({ path: `/api/documents/${make.queued()}/cancel` }),
  'GET /api/documents/{id}/stages': onDocument('/stages'),
  'POST /api/documents/{id}/rename': onDocument('/rename', { filename: 'Befund.pdf' }),
  'POST /api/documents/{id}/generate-filename': onDocument('/generate-filename'),
  'GET /api/documents/{id}/find-candidates': onDocument('/find-candidates'),
  'POST /api/documents/{id}/relink': ({ make }) => ({
    path: `/api/documents/${make.document({ file: false })}/relink`,
    body: { vault_path: make.looseFile() },
  }),
  'POST /api/documents/{id}/replace-file': ({ make }) => ({
    path: `/api/documents/${make.document()}/replace-file`,
    file: make.pdf(),
  }),
  'GET /api/review': ({ patient }) => ({ path: `/api/review?patient_id=${patient}` }),
  'POST /api/review/answers': onDocuments('/api/review/answers', (id) => ({ answer: 'reopen', patient_id: id })),
  'POST /api/documents/{id}/mark-reviewed': onDocument('/mark-reviewed'),
  'POST /api/documents/{id}/rotate': onDocument('/rotate', { degrees: 90, pages: [1] }),
  'GET /api/documents/{id}/relevant': onDocument('/relevant'),

  'GET /api/documents/{id}/links': onDocument('/links'),
  'POST /api/documents/{id}/link': ({ make }) => ({
    path: `/api/documents/${make.document()}/link`,
    body: { target_document_id: make.document(), link_type: 'invoice_for' },
  }),
  'DELETE /api/documents/{id}/links/{link_id}': ({ make }) => {
    const { document, link } = make.link();
    return { path: `/api/documents/${document}/links/${link}` };
  },

  ...IMAGING_EXAMPLES,

  'GET /api/events': ({ patient }) => ({ path: `/api/events?patient_id=${patient}&event_type=diagnosis` }),
  'GET /api/events/{id}': onEvent(''),
  'POST /api/events': ({ patient }) => ({
    path: '/api/events',
    body: {
      patient_id: patient,
      title: 'Iron deficiency',
      event_type: 'diagnosis',
      date_start: '2025-11-01',
      is_ongoing: true,
      severity: 'mild',
      icd10_code: 'D50.9',
      color: '#0b7285',
    },
  }),
  'PATCH /api/events/{id}': onEvent('', { title: 'Anaemia', date_end: '2025-12-01', notes: null }),
  'DELETE /api/events/{id}': ({ make }) => ({ path: `/api/events/${make.linkedEvent().event}?delete_documents=true` }),
  'POST /api/events/{id}/link': ({ make }) => ({
    path: `/api/events/${make.event()}/link`,
    body: { document_id: make.document(), relevance: 'secondary' },
  }),
  'DELETE /api/events/{id}/link/{doc_id}': ({ make }) => {
    const { event, document } = make.linkedEvent();
    return { path: `/api/events/${event}/link/${document}` };
  },

  ...TICKER_EXAMPLES,
  'GET /api/assistants': () => ({ path: '/api/assistants' }),
  'PUT /api/assistants/patients/{id}': ({ patient }) => ({ path: `/api/assistants/patients/${patient}` }),
  'DELETE /api/assistants/patients/{id}': ({ patient }) => ({ path: `/api/assistants/patients/${patient}` }),
  'POST /api/chat': ({ patient }) => ({
    path: '/api/chat',
    body: { patient_id: patient, message: 'Wann war die letzte Impfung?', language: 'de' },
  }),
  'GET /api/chat/history': ({ patient }) => ({ path: `/api/chat/history?patient_id=${patient}` }),
  'DELETE /api/chat/history': ({ patient }) => ({ path: `/api/chat/history?patient_id=${patient}` }),
  'POST /api/chat/history/restore': ({ patient }) => ({ path: `/api/chat/history/restore?patient_id=${patient}` }),
  'GET /api/chat/suggestions': ({ patient }) => ({ path: `/api/chat/suggestions?patient_id=${patient}&language=de` }),
  'GET /api/timeline': ({ patient }) => ({ path: `/api/timeline?patient_id=${patient}&from=2020-01-01&to=2026-12-31` }),

  'GET /api/lab-results': ({ patient }) => ({
    path:
      `/api/lab-results?patient_id=${patient}&test_name=ferr&date_from=2020-01-01&date_to=2030-01-01` +
      '&limit=10&offset=0',
  }),
  'GET /api/lab-results/orphans': ({ make }) => (make.orphan(), { path: '/api/lab-results/orphans' }),
  'GET /api/lab-results/timeline': ({ make, patient }) => (
    make.labResult(),
    { path: `/api/lab-results/timeline?patient_id=${patient}&test_name=Ferritin` }
  ),
  'GET /api/lab-results/summary': ({ make, patient }) => (
    make.labResult(),
    { path: `/api/lab-results/summary?patient_id=${patient}` }
  ),
  'GET /api/lab-results/household': () => ({ path: '/api/lab-results/household' }),
  'GET /api/lab-results/series': ({ make, patient }) => ({
    path: `/api/lab-results/series?patient_id=${patient}&test=${make.testKey()}`,
  }),
  'POST /api/lab-results': ({ make }) => ({
    path: '/api/lab-results',
    body: {
      document_id: make.document(),
      test_name_original: 'Ferritin',
      value: 23,
      unit: 'µg/L',
      test_date: '2025-11-12',
    },
  }),
  'PATCH /api/lab-results/{id}': ({ make }) => ({
    path: `/api/lab-results/${make.labResult()}`,
    body: { value: 24, unit: 'µg/L', reference_range_low: 30 },
  }),
  'DELETE /api/lab-results/{id}': ({ make }) => ({ path: `/api/lab-results/${make.labResult()}` }),

  'POST /api/encounters': ({ make }) => ({
    path: '/api/encounters',
    body: { document_id: make.document(), encounter_date: '2025-11-12', diagnosis_original: 'Eisenmangel' },
  }),
  'POST /api/medications': ({ make }) => ({
    path: '/api/medications',
    body: { document_id: make.document(), brand_name: 'Maltofer', dosage: '100 mg' },
  }),
  'POST /api/vaccinations': ({ make }) => ({
    path: '/api/vaccinations',
    body: { document_id: make.document(), vaccine_name: 'Boostrix', date_administered: '2020-05-06' },
  }),
  'PATCH /api/encounters/{id}': ({ make }) => ({
    path: `/api/encounters/${make.encounter()}`,
    body: { encounter_date: '2025-11-13', findings: 'none' },
  }),
  'DELETE /api/encounters/{id}': ({ make }) => ({ path: `/api/encounters/${make.encounter()}` }),
  'PATCH /api/medications/{id}': ({ make }) => ({
    path: `/api/medications/${make.medication()}`,
    body: { dosage: '100 mg', frequency: '1-0-1' },
  }),
  'DELETE /api/medications/{id}': ({ make }) => ({ path: `/api/medications/${make.medication()}` }),
  'PATCH /api/vaccinations/{id}': ({ make }) => ({
    path: `/api/vaccinations/${make.vaccination()}`,
    body: { lot_number: 'A1', dose_number: 2 },
  }),
  'DELETE /api/vaccinations/{id}': ({ make }) => ({ path: `/api/vaccinations/${make.vaccination()}` }),

  'GET /api/normalization': at('/api/normalization'),
  'GET /api/normalization/{type}': at('/api/normalization/lab_tests?search=fer'),
  'GET /api/normalization/{type}/{id}': onName(''),
  'PATCH /api/normalization/{type}/{id}': onName('', { canonical_display: 'Ferritin' }),
  'DELETE /api/normalization/{type}/{id}': onName(''),
  'GET /api/normalization/{type}/{id}/documents': onName('/documents'),
  'POST /api/normalization/{type}/{id}/aliases': ({ make }) => ({
    path: `/api/normalization/lab_tests/${make.name('lab_tests')}/aliases`,
    body: { alias: `Serum-${make.next()}`, language: 'de' },
  }),
  'DELETE /api/normalization/{type}/aliases/{alias_id}': ({ make }) => ({
    path: `/api/normalization/lab_tests/aliases/${make.alias('lab_tests').alias}`,
  }),
  'POST /api/normalization/{type}/{id}/confirm': ({ make }) => ({
    path: `/api/normalization/lab_tests/${make.alias('lab_tests').entry}/confirm`,
  }),
  'POST /api/normalization/{type}/merge': ({ make }) => ({
    path: '/api/normalization/lab_tests/merge',
    body: { source_id: make.name('lab_tests'), target_id: make.name('lab_tests') },
  }),
  'POST /api/normalization/{type}/merge-batch': ({ make }) => ({
    path: '/api/normalization/lab_tests/merge-batch',
    body: { source_ids: [make.name('lab_tests'), make.name('lab_tests')], target_id: make.name('lab_tests') },
  }),
  'POST /api/normalization/{type}/auto-merge': at('/api/normalization/lab_tests/auto-merge'),
  'POST /api/normalization/{type}/keep-apart': ({ make }) => ({
    path: '/api/normalization/doctors/keep-apart',
    body: { entry_ids: [make.name('doctors'), make.name('doctors')] },
  }),
  'GET /api/normalization/{type}/merges': at('/api/normalization/lab_tests/merges'),
  'POST /api/normalization/{type}/merges/{merge_id}/undo': ({ make }) => ({
    path: `/api/normalization/lab_tests/merges/${make.merge()}/undo`,
  }),

  'GET /api/pipeline/status': at('/api/pipeline/status'),
  'GET /api/pipeline/events': at('/api/pipeline/events'),
  'POST /api/pipeline/start': ({ make }) => (make.emptyQueue(), { path: '/api/pipeline/start' }),
  'POST /api/pipeline/stop': at('/api/pipeline/stop'),

  'GET /api/today': ({ patient }) => ({ path: `/api/today?patient_id=${patient}` }),
  'GET /api/trash': at('/api/trash'),
  'POST /api/trash/{id}/restore': ({ make }) => ({ path: `/api/trash/${make.trashed()}/restore` }),
  'DELETE /api/trash/{id}': ({ make }) => ({ path: `/api/trash/${make.trashed()}` }),

  'GET /api/settings': at('/api/settings'),
  'PATCH /api/settings': at('/api/settings', {
    session_ttl_hours: 720,
    canonical_language: 'de',
    pipeline_retry_interval: 300,
    llm_retry_backoff_seconds: [30, 60],
    ocr_remote_api_key: 'secret',
    oidc_scopes: 'openid',
    oidc_provider_url: '',
  }),
  'GET /api/settings/view-prefs/{view_key}': at('/api/settings/view-prefs/documents'),
  'PUT /api/settings/view-prefs/{view_key}': at('/api/settings/view-prefs/documents', {
    visible: ['event_date'],
    order: ['event_date', 'doctor'],
  }),
  ...PROVIDER_EXAMPLES,
  'GET /api/settings/prompts': at('/api/settings/prompts'),
  'PUT /api/settings/prompts/{key}': at('/api/settings/prompts/classification', { text: 'Tell the type.' }),
  'DELETE /api/settings/prompts/{key}': at('/api/settings/prompts/classification'),
  'GET /api/settings/users': at('/api/settings/users'),
  'POST /api/settings/users': ({ make }) => ({
    path: '/api/settings/users',
    body: { username: `new-${make.next()}`, password: 'correct horse battery', display_name: 'New', role: 'viewer' },
  }),
  'PATCH /api/settings/users/{id}': ({ make }) => ({
    path: `/api/settings/users/${make.user()}`,
    body: { display_name: 'Renamed', role: 'viewer' },
  }),
  'DELETE /api/settings/users/{id}': ({ make }) => ({ path: `/api/settings/users/${make.user()}` }),
  'GET /api/settings/access': at('/api/settings/access'),
  'GET /api/settings/users/{id}/access': ({ make }) => ({ path: `/api/settings/users/${make.user()}/access` }),
  'POST /api/settings/users/{id}/access': ({ make, patient }) => ({
    path: `/api/settings/users/${make.user()}/access`,
    body: { patient_id: patient, role: 'viewer' },
  }),
  'DELETE /api/settings/users/{id}/access/{patient_id}': ({ make, patient }) => ({
    path: `/api/settings/users/${make.grantedUser()}/access/${patient}`,
  }),
  'GET /api/settings/sessions': at('/api/settings/sessions?include_revoked=true'),
  'DELETE /api/settings/sessions/{session_id}': ({ make, ids }) => ({
    path: `/api/settings/sessions/${make.session(ids.editor)}`,
  }),
  'GET /api/settings/audit-log': at('/api/settings/audit-log?limit=50&action=login,logout'),
  'GET /api/settings/logs': at('/api/settings/logs?limit=50&level=error'),
  'GET /api/settings/backup': at('/api/settings/backup'),

  'GET /api/settings/backup/files': at('/api/settings/backup/files'),
  'GET /api/settings/backup/folders': at('/api/settings/backup/folders'),
  'POST /api/settings/backup/folders': at('/api/settings/backup/folders', { path: tmpdir() }),
  'PUT /api/settings/backup/plan': at('/api/settings/backup/plan', {
    folder: null,
    every: 'off',
    at: '03:30',
    keep_daily: 7,
    keep_weekly: 4,
    keep_monthly: 6,
    include_secrets: false,
  }),
  'GET /api/phone-service': at('/api/phone-service'),
  'GET /api/phone-service/sent': at('/api/phone-service/sent?backup_id=nobody'),
  'POST /api/phone-service/sent': ({ make }) => ({
    path: '/api/phone-service/sent',
    body: { backup_id: 'nobody', file_id: 'a'.repeat(40), document_id: make.document() },
  }),
  // This computer has no backups of phones; test/phone-backups sends from one.
  'POST /api/phone-service/send': ({ patient }) => ({
    path: '/api/phone-service/send',
    body: {
      backup_id: 'nobody',
      session_token: 'none',
      patient_id: patient,
      items: [
        {
          file_id: 'a'.repeat(40),
          filename: 'Befund.pdf',
          original_date: '2023-03-01',
          origin: 'Nachricht von Dr. Frisch',
        },
      ],
    },
    answers: 'phone.not_found',
  }),
  'POST /api/phone-service/measurements': ({ patient }) => ({
    path: '/api/phone-service/measurements',
    body: {
      patient_id: patient,
      device: 'iPhone von Elena',
      daily: true,
      measurements: [{ type: 'body_mass', value: 70.5, unit: 'kg', date: '2023-01-01', source: 'Withings' }],
    },
  }),
  'POST /api/phone-service/send-health': ({ patient }) => ({
    path: '/api/phone-service/send-health',
    body: {
      backup_id: 'nobody',
      patient_id: patient,
      types: ['body_mass'],
      sources: ['Withings'],
      from: '2020-01-01',
      to: '2030-01-01',
      daily: true,
    },
    answers: 'phone.not_found',
  }),

  ...VAULT_EXAMPLES,
  'GET /api/auth/oidc/enabled': at('/api/auth/oidc/enabled'),
  'GET /api/auth/oidc/login': () => ({ path: '/api/auth/oidc/login?next=/documents', answers: 'oidc.disabled' }),
  'GET /api/auth/oidc/callback': () => ({ path: '/api/auth/oidc/callback?code=a&state=b', answers: 'oidc.disabled' }),
  'POST /api/auth/oidc/link': () => ({ path: '/api/auth/oidc/link', answers: 'oidc.disabled' }),
  'DELETE /api/auth/oidc/link': () => ({ path: '/api/auth/oidc/link', answers: 'oidc.no_password' }),
  ...PASSKEY_EXAMPLES,
  'POST /api/settings/oidc/test': at('/api/settings/oidc/test'),

  'GET /api/vault/tree': at('/api/vault/tree'),
  'DELETE /api/vault/file': ({ make }) => ({
    path: `/api/vault/file?path=${encodeURIComponent(make.pathOf(make.document()))}`,
  }),
  'POST /api/vault/move': ({ make }) => ({
    path: '/api/vault/move',
    body: { from_path: make.pathOf(make.document()), to_path: `patients/elena-1/2024/moved-${make.next()}.pdf` },
  }),
  'GET /api/vault/check': at('/api/vault/check'),
  'POST /api/vault/check': at('/api/vault/check'),
  ...SHARE_EXAMPLES,
};
