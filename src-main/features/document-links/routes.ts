import type { documentLinks } from '../../../src-shared/contract/document-links.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { LinkService } from './service.ts';

export const linkRoutes = (service: LinkService): Handlers<typeof documentLinks> => ({
  list: ({ params }, { caller }) => service.list(params.id, caller),
  create: ({ params, body }, { caller }) => service.create(params.id, body.target_document_id, body.link_type, caller),
  remove: ({ params }, { caller }) => service.remove(params.id, params.link_id, caller),
});
