import { describe, expect, it } from 'vitest';
import { contract } from '../../src-shared/contract/index.ts';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';

/**
 * What other programs were promised, by hand: method and path of every endpoint of the vault that needs no model.
 * A path that is renamed in the contract fails here.
 */
const PROMISED = `
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
GET /api/documents/failed
POST /api/documents/retry-all-failed
POST /api/documents/schedule-batch
GET /api/documents/{id}
GET /api/documents/{id}/file
PATCH /api/documents/{id}
DELETE /api/documents/{id}
POST /api/documents/{id}/move
POST /api/documents/{id}/translate
POST /api/documents/{id}/translate-region
POST /api/documents/{id}/edit-with-ai
POST /api/documents/{id}/suggest-links
POST /api/events/suggest-for-document/{id}
DELETE /api/documents/{id}/region-translations/{region_id}
GET /api/documents/{id}/region-translations/{region_id}/thumbnail
GET /api/settings/translation-defaults
POST /api/documents/{id}/reprocess
POST /api/documents/{id}/cancel
GET /api/documents/{id}/stages
POST /api/documents/{id}/rename
POST /api/documents/{id}/generate-filename
GET /api/documents/{id}/find-candidates
POST /api/documents/{id}/relink
POST /api/documents/{id}/replace-file
POST /api/documents/{id}/mark-reviewed
POST /api/documents/{id}/rotate
GET /api/documents/{id}/relevant
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
POST /api/chat
GET /api/chat/history
DELETE /api/chat/history
POST /api/lab-results
PATCH /api/lab-results/{id}
DELETE /api/lab-results/{id}
PATCH /api/encounters/{id}
DELETE /api/encounters/{id}
PATCH /api/medications/{id}
DELETE /api/medications/{id}
PATCH /api/vaccinations/{id}
DELETE /api/vaccinations/{id}
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
GET /api/pipeline/events
GET /api/settings
PATCH /api/settings
GET /api/settings/logs
GET /api/settings/audit-log
GET /api/settings/sessions
DELETE /api/settings/sessions/{session_id}
GET /api/settings/llm-providers
PUT /api/settings/llm-providers
GET /api/settings/ocr-providers
PUT /api/settings/ocr-providers
GET /api/settings/vision-providers
PUT /api/settings/vision-providers
GET /api/settings/credentials
PUT /api/settings/credentials
GET /api/settings/embedding-model
PUT /api/settings/embedding-model
GET /api/settings/general-llm
PUT /api/settings/general-llm
POST /api/settings/test-llm-provider
POST /api/settings/test-ocr-provider
POST /api/settings/test-vision-provider
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
GET /api/share/documents/{doc_id}/region-translations/{region_id}/thumbnail
POST /api/share/documents/{doc_id}/translate-region
POST /api/share/documents/{doc_id}/translate
`
  .trim()
  .split('\n');

/** Names of parameters are ours to choose; their places are not. */
const placed = (route: string): string => route.replace(/\{\w+\}/g, '{}');
const declared = new Set(
  Object.values(contract).flatMap((area) =>
    Object.values<Endpoint>(area).map((endpoint) => placed(`${endpoint.method} ${endpoint.path}`)),
  ),
);

describe('paths that the specification promises', () => {
  it.each(PROMISED)('%s', (route) => {
    expect(declared.has(placed(route)), `${route} is not in the contract`).toBe(true);
  });
});
