/** Every endpoint of the two specifications, in their order. */
const lines = (text: string): string[] => text.trim().split('\n');

/** Endpoints that exist; the walk calls each. */
export const SERVED = lines(`
GET /health
GET /api/setup/status
POST /api/setup/complete
POST /api/auth/login
POST /api/auth/logout
GET /api/auth/me
GET /api/auth/oidc/enabled
GET /api/auth/oidc/login
GET /api/auth/oidc/callback
GET /api/patients
POST /api/patients
GET /api/patients/{id}
PATCH /api/patients/{id}
DELETE /api/patients/{id}
GET /api/documents
POST /api/documents/upload
GET /api/documents/{id}
GET /api/documents/{id}/file
PATCH /api/documents/{id}
DELETE /api/documents/{id}
POST /api/documents/{id}/move
POST /api/documents/{id}/reprocess
POST /api/documents/{id}/cancel
GET /api/documents/{id}/stages
POST /api/documents/{id}/generate-filename
POST /api/documents/{id}/rename
GET /api/documents/{id}/find-candidates
POST /api/documents/{id}/relink
POST /api/documents/{id}/replace-file
POST /api/documents/{id}/link
GET /api/documents/{id}/links
DELETE /api/documents/{id}/links/{link_id}
GET /api/events
GET /api/events/{id}
POST /api/events
PATCH /api/events/{id}
DELETE /api/events/{id}
POST /api/events/{id}/link
DELETE /api/events/{id}/link/{doc_id}
GET /api/lab-results
GET /api/lab-results/orphans
GET /api/lab-results/timeline
POST /api/lab-results
PATCH /api/lab-results/{id}
DELETE /api/lab-results/{id}
GET /api/normalization/{type}
GET /api/normalization/{type}/{id}
PATCH /api/normalization/{type}/{id}
DELETE /api/normalization/{type}/{id}
GET /api/normalization/{type}/{id}/documents
POST /api/normalization/{type}/{id}/aliases
DELETE /api/normalization/{type}/aliases/{alias_id}
POST /api/normalization/{type}/{id}/confirm
POST /api/normalization/{type}/merge
POST /api/normalization/{type}/merge-batch
POST /api/normalization/{type}/auto-merge
GET /api/pipeline/status
POST /api/pipeline/start
POST /api/pipeline/stop
GET /api/settings
PATCH /api/settings
GET /api/settings/logs
GET /api/settings/audit-log
GET /api/settings/sessions
DELETE /api/settings/sessions/{session_id}
GET /api/settings/prompts
PUT /api/settings/prompts/{key}
DELETE /api/settings/prompts/{key}
GET /api/settings/backup
GET /api/settings/users
POST /api/settings/users
PATCH /api/settings/users/{id}
DELETE /api/settings/users/{id}
GET /api/settings/users/{id}/access
POST /api/settings/users/{id}/access
DELETE /api/settings/users/{id}/access/{patient_id}
GET /api/vault/tree
DELETE /api/vault/file
POST /api/vault/move
GET /healthz
GET /backups
POST /backups/refresh
POST /backups/{backup_id}/unlock
POST /backups/{backup_id}/lock
GET /backups/{backup_id}/files
GET /backups/{backup_id}/domains
GET /backups/{backup_id}/file/{file_id}
`);

const MODELS = 'needs a language model, and none can be set up yet';
const IMAGING = 'studies of imaging are not stored yet';
const SHARES = 'documents cannot be shared yet';

/** Endpoints that do not exist yet, and why. One that answers needs a case in the walk. */
export const ABSENT: readonly (readonly [route: string, reason: string])[] = [
  [
    MODELS,
    `
POST /api/documents/{id}/translate
POST /api/documents/{id}/translate-region
DELETE /api/documents/{id}/region-translations/{region_id}
GET /api/documents/{id}/region-translations/{region_id}/thumbnail
POST /api/documents/{id}/edit-with-ai
POST /api/documents/{id}/suggest-links
POST /api/events/suggest-for-document/{doc_id}
POST /api/chat
GET /api/chat/history
DELETE /api/chat/history
GET /api/settings/llm-providers
PUT /api/settings/llm-providers
GET /api/settings/ocr-providers
PUT /api/settings/ocr-providers
GET /api/settings/vision-providers
PUT /api/settings/vision-providers
GET /api/settings/credentials
PUT /api/settings/credentials
GET /api/settings/general-llm
PUT /api/settings/general-llm
POST /api/settings/test-llm-provider
POST /api/settings/test-ocr-provider
POST /api/settings/test-vision-provider
`,
  ],
  [
    IMAGING,
    `
GET /api/imaging
GET /api/imaging/{id}
GET /api/imaging/{id}/series/{series_id}/frames
GET /api/imaging/{id}/series/{series_id}/frame/{index}
GET /api/imaging/{id}/bundle-files
GET /api/imaging/{id}/bundle-file/{name}
GET /api/imaging/{id}/links
POST /api/imaging/{id}/links
DELETE /api/imaging/{id}/links/{link_id}
POST /api/imaging/{id}/report
PATCH /api/imaging/{id}/metadata
`,
  ],
  [
    SHARES,
    `
POST /api/shares
GET /api/shares
DELETE /api/shares/{share_id}
GET /api/shares/{share_id}/audit
GET /api/shares/{share_id}/active-otp
GET /api/shares/{share_id}/documents
GET /api/shares/{share_id}/sessions
DELETE /api/shares/{share_id}/sessions/{rowid}
DELETE /api/shares/{share_id}/queue/{rowid}
POST /api/share/{token}/request-otp
POST /api/share/{token}/verify-otp
POST /api/share/claim
DELETE /api/share/queue
POST /api/share/heartbeat
POST /api/share/logout
GET /api/share/me
GET /api/share/documents/{doc_id}
GET /api/share/documents/{doc_id}/file
POST /api/share/documents/{doc_id}/translate-region
POST /api/share/documents/{doc_id}/translate
GET /api/share/documents/{doc_id}/region-translations/{region_id}/thumbnail
`,
  ],
].flatMap(([reason = '', routes = '']) => lines(routes).map((route): [string, string] => [route, reason]));
