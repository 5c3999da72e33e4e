import type { review as contract } from '../../../src-shared/contract/review.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { ReviewService } from './service.ts';

export const reviewRoutes = (service: ReviewService): Handlers<typeof contract> => ({
  list: ({ query }, { caller }) => service.list(query, caller),
  answer({ body }, call) {
    const result = service.answer(body, call.caller);
    call.note({ answer: body.answer, document_ids: result.document_ids, patient_id: result.patient_id });
    return result;
  },
});
