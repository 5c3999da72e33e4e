import { at, onImport, type Make } from './example-makers.ts';

/** Calls about the vaults of the computer, their backups, and imports of archives. */
export const VAULT_EXAMPLES: Record<string, Make> = {
  'GET /api/vaults': at('/api/vaults'),
  // A folder that no value of another field makes a vault of: this program would open it.
  'POST /api/vaults/open': () => ({
    path: '/api/vaults/open',
    body: { path: import.meta.dirname },
    answers: 'vault.not_a_vault',
  }),
  'POST /api/vaults/move': () => ({
    path: '/api/vaults/move',
    body: { path: import.meta.dirname },
    answers: 'vault.not_empty',
  }),
  'DELETE /api/vaults/move': at('/api/vaults/move'),
  'POST /api/vaults/forget': at('/api/vaults/forget', { path: '/nowhere' }),
  'POST /api/vault-lock/cancel': () => ({
    path: '/api/vault-lock/cancel',
    body: { secret: 'Correct horse battery' },
    answers: 'vault.not_being_switched',
  }),
  'POST /api/vault-lock/leave': at('/api/vault-lock/leave'),
  'POST /api/vault-lock/unlock': at('/api/vault-lock/unlock', { secret: 'Correct horse battery' }),
  'GET /api/vault-encryption': at('/api/vault-encryption'),
  'POST /api/vault-encryption/lock': () => ({
    path: '/api/vault-encryption/lock',
    answers: 'vault.not_encrypted',
  }),
  // This vault is not encrypted, and what is typed here can't be a recovery key.
  'POST /api/vault-encryption/recovery-key': at('/api/vault-encryption/recovery-key', {
    password: 'Correct horse battery',
  }),
  'PUT /api/vault-encryption/recovery-key': () => ({
    path: '/api/vault-encryption/recovery-key',
    body: { recovery_key: 'AAAAA' },
    answers: 'vault.not_encrypted',
  }),
  'PUT /api/vault-encryption/password': () => ({
    path: '/api/vault-encryption/password',
    body: { secret: 'Correct horse battery', password: 'Another horse battery' },
    answers: 'vault.not_encrypted',
  }),
  'PUT /api/vault-encryption/keychain': () => ({
    path: '/api/vault-encryption/keychain',
    body: { secret: 'Correct horse battery' },
    answers: 'vault.not_encrypted',
  }),
  'DELETE /api/vault-encryption/keychain': () => ({
    path: '/api/vault-encryption/keychain',
    answers: 'vault.not_encrypted',
  }),
  'POST /api/vault-encryption/encrypt': () => ({
    path: '/api/vault-encryption/encrypt',
    body: { recovery_key: 'AAAAA' },
    answers: 'vault.recovery_key_differs',
  }),
  'POST /api/vault-encryption/decrypt': () => ({
    path: '/api/vault-encryption/decrypt',
    body: { secret: 'Correct horse battery' },
    answers: 'vault.not_encrypted',
  }),
  'GET /api/vault-lock': at('/api/vault-lock'),
  'POST /api/vault-encryption/presence': at('/api/vault-encryption/presence'),
  'GET /api/imports': at('/api/imports'),
  'POST /api/imports': ({ patient }) => ({
    path: '/api/imports',
    body: { path: '/nowhere', patient_id: patient },
    answers: 'import.source_missing',
  }),
  'GET /api/imports/{id}': onImport(''),
  'GET /api/imports/{id}/items': onImport('/items?limit=10'),
  'GET /api/imports/{id}/report': onImport('/report'),
  'POST /api/imports/{id}/run': onImport('/run'),
  'POST /api/imports/{id}/stop': onImport('/stop'),
  'POST /api/imports/{id}/undo': onImport('/undo', 'import.not_ready'),
  'DELETE /api/imports/{id}': onImport(''),
  'POST /api/settings/backup/run': () => ({ path: '/api/settings/backup/run', answers: 'backup.folder_not_set' }),
  'DELETE /api/settings/backup/run': at('/api/settings/backup/run'),
  'POST /api/settings/backup/files/{id}/verify': ({ make }) => ({
    path: `/api/settings/backup/files/${make.backup()}/verify`,
    answers: 'backup.folder_not_set',
  }),
  'POST /api/settings/backup/files/{id}/drill': ({ make }) => ({
    path: `/api/settings/backup/files/${make.backup()}/drill`,
    answers: 'backup.folder_not_set',
  }),
  'POST /api/settings/backup/files/{id}/restore': ({ make }) => ({
    path: `/api/settings/backup/files/${make.backup()}/restore`,
    answers: 'backup.folder_not_set',
  }),
  'DELETE /api/settings/backup/files/{id}': ({ make }) => ({
    path: `/api/settings/backup/files/${make.backup()}`,
    answers: 'backup.folder_not_set',
  }),
};
