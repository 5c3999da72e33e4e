import type { events } from '../../../src-shared/contract/events.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { EventService } from './service.ts';

export const eventRoutes = (service: EventService): Handlers<typeof events> => ({
  list: ({ query }, { caller }) => service.list(query, caller),
  get: ({ params }) => service.get(params.id),
  create({ body }, call) {
    const created = service.create(body);
    call.setRecordId(created.id);
    return created;
  },
  update: ({ params, body }, { caller }) => service.update(params.id, body, caller),
  remove: ({ params, query }, { caller }) =>
    service.remove(
      params.id,
      query.delete_documents === 'true' || query.delete_documents === '1' ? 'delete_documents' : 'free_documents',
      caller,
    ),
  link: ({ params, body }, { caller }) => service.link(params.id, body.document_id, body.relevance, caller),
  unlink: ({ params }) => service.unlink(params.id, params.doc_id),
});
