/**
 * The service for browsing phone backups. Its own listener authenticates by `X-API-Token`; the core serves the same
 * endpoints to signed-in administrators under `PHONE_PREFIX`. Endpoints that need an open backup expect the token of
 * `unlock` in `X-Backup-Session`. For backups of the vault see `vault-backups.ts`.
 */
export const PHONE_PREFIX = '/api/phone';
/** Tells that the service runs; needs no token. */
export const PHONE_HEALTH_PATH = '/healthz';
export const API_TOKEN_HEADER = 'X-API-Token';
export const BACKUP_SESSION_HEADER = 'X-Backup-Session';
