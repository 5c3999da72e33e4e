import type { phoneImport } from '../../../src-shared/contract/phone-backups/import.ts';
import type { phoneBackups as contract } from '../../../src-shared/contract/phone-backups/service.ts';
import {
  ARTIFACT_ENDPOINTS,
  type ArtifactEndpoints,
} from '../../../src-shared/contract/phone-backups/artifact-table.ts';
import {
  answerArtifact,
  type ArtifactQuery,
} from '../../../src-shared/ios-backup/artifacts/index-store/artifact-lists.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { PhoneHandlers } from '../../platform/http/bind-phone.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { PhoneImports } from './imports.ts';
import type { PhoneBackups } from './service.ts';

/** Handlers of the phone-backup service. */
export const phoneBackupRoutes = (service: PhoneBackups): PhoneHandlers<typeof contract> => ({
  healthz: () => ({ status: 'ok' as const }),
  list: () => service.list(),
  refresh: () => service.refresh(),
  forget: ({ params }) => service.forget(params.backup_id),
  unlock: ({ params, body }, { signal }) => service.unlock(params.backup_id, body.password, signal),
  lock: ({ params }, { session }) => service.lock(params.backup_id, session),
  files: ({ params, query }, { session }) => service.queries.files(params.backup_id, session, query),
  domains: ({ params }, { session }) => service.queries.domains(params.backup_id, session),
  file: ({ params }, { session }) => service.queries.file(params.backup_id, params.file_id, session),
  suggestions: ({ params, query }, { session }) => service.queries.suggestions(params.backup_id, session, query),

  integrity: ({ params }, { session }) => service.queries.integrity(params.backup_id, session, 'start'),
  integrityState: ({ params }, { session }) => service.queries.integrity(params.backup_id, session, 'state'),
  integrityCancel: ({ params }, { session }) => service.queries.integrity(params.backup_id, session, 'cancel'),
  integrityFindings: ({ params, query }, { session }) =>
    service.queries.integrityFindings(params.backup_id, session, query),

  index: ({ params, body }, { session }) =>
    service.index(params.backup_id, session, { artifacts: body.artifacts, resume: body.resume }),
  indexState: ({ params }) => service.indexState(params.backup_id),
  indexCancel: ({ params }) => service.indexCancel(params.backup_id),
  indexRemove: ({ params }) => service.indexRemove(params.backup_id),

  ...artifactRoutes(service),
  contactPicture: ({ params }, { session }) => service.queries.contactPicture(params.backup_id, session, params.guid),
  search: ({ params, query: { q, artifact, ...page } }) =>
    service.artifactIndex(params.backup_id).reader?.search(q, artifact, page) ?? { items: [], total: 0, ...page },
});

/** One handler for each endpoint of `ARTIFACT_TABLE`. */
function artifactRoutes(service: PhoneBackups): PhoneHandlers<ArtifactEndpoints> {
  const handle =
    <N extends keyof ArtifactEndpoints>(name: N) =>
    ({ params, query }: { params: { backup_id: string; guid?: string }; query: ArtifactQuery<N> }) =>
      answerArtifact(service.artifactIndex(params.backup_id), name, query, params.guid);
  const names = Object.keys(ARTIFACT_ENDPOINTS) as (keyof ArtifactEndpoints)[];
  return Object.fromEntries(names.map((name) => [name, handle(name)])) as unknown as PhoneHandlers<ArtifactEndpoints>;
}

/** Only administrators may see the backups of this computer. */
function requireAdmin({ role }: UserCaller): void {
  if (role !== 'admin') throw fail('auth.forbidden');
}

/** Handlers that import from phone backups into the vault. */
export const phoneImportRoutes = ({
  phones,
  imports,
  access,
  url,
}: {
  phones: PhoneBackups;
  imports: PhoneImports;
  access: AccessRules;
  /** The address of the service; null before it listens. */
  url: () => string | null;
}): Handlers<typeof phoneImport> => ({
  service: () => ({ url: url(), api_token: phones.apiToken, base_directory: phones.baseDirectory }),
  importedFiles: ({ query }, { caller }) => ({
    items: phones
      .sentDocuments(query.backup_id)
      .filter((row) => access.may(caller, 'read', row))
      .map(({ file_id, document_id }) => ({ file_id, document_id })),
  }),
  recordImport({ body }, call) {
    phones.remember(body.backup_id, body.file_id, body.document_id);
    call.setRecordId(body.document_id);
    call.note({ from: 'phone' });
  },
  async importFiles({ body }, call) {
    requireAdmin(call.caller);
    const reply = await imports.importFiles(body, call.caller);
    const created = reply.items.filter(({ status }) => status === 'pending');
    if (created[0]?.document_id) call.setRecordId(created[0].document_id);
    call.note({ from: 'phone', documents: created.length });
    return reply;
  },
  importHealth({ body }, call) {
    requireAdmin(call.caller);
    const reply = imports.importHealth(body);
    call.note({ from: 'phone', results: reply.added });
    return reply;
  },
  addMeasurements({ body }, call) {
    const reply = imports.addMeasurements(body);
    call.note({ from: 'phone', results: reply.added });
    return reply;
  },
});
