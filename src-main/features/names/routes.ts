import type { names as contract } from '../../../src-shared/contract/names.ts';
import type { Call, Handlers } from '../../platform/http/bind.ts';
import type { NameService } from './service.ts';

export function nameRoutes(names: NameService): Handlers<typeof contract> {
  /** Adds the id to the audit log, with the type, because ids are unique only within a type. */
  const recorded = <T>(
    call: Pick<Call, 'setRecordId' | 'note'>,
    type: string,
    id: number,
    result: T,
    more: Record<string, unknown> = {},
  ): T => {
    call.setRecordId(id);
    call.note({ type, ...more });
    return result;
  };
  return {
    overview: (_input, { caller }) => names.overview(caller),
    list: ({ params, query }, { caller }) => names.list(params.type, query, caller),
    get: ({ params: { type, id } }, { caller }) => names.get(type, id, caller),
    update: ({ params: { type, id }, body }, call) =>
      recorded(call, type, id, names.update(type, id, body, call.caller), { fields: Object.keys(body) }),
    remove: ({ params: { type, id } }, call) => recorded(call, type, id, names.remove(type, id, call.caller)),
    documents: ({ params: { type, id }, query }, { caller }) => names.documents(type, id, query, caller),
    addAlias: ({ params: { type, id }, body }, call) =>
      recorded(call, type, id, names.addAlias(type, id, body, call.caller), { change: 'alias.add' }),
    removeAlias({ params: { type, alias_id } }, call) {
      const removed = names.removeAlias(type, alias_id, call.caller);
      return recorded(call, type, removed.entry_id, removed, { change: 'alias.remove' });
    },
    confirm: ({ params: { type, id } }, call) =>
      recorded(call, type, id, names.confirm(type, id, call.caller), { change: 'alias.confirm' }),
    merge({ params: { type }, body }, call) {
      const merged = names.merge(type, [body.source_id], { id: body.target_id }, call.caller);
      return recorded(call, type, merged.target_id, merged, {
        merge_id: merged.merge_id,
        source_ids: [body.source_id],
      });
    },
    mergeBatch({ params: { type }, body }, call) {
      const merged = names.mergeBatch(type, body, call.caller);
      return recorded(call, type, merged.target_id, merged, { merge_id: merged.merge_id, source_ids: body.source_ids });
    },
    autoMerge: ({ params: { type }, query: { patient_id } }, { caller, signal }) =>
      patient_id === undefined ? names.autoMerge(type, caller) : names.mergesByModel(type, patient_id, caller, signal),
    keepApart: ({ params: { type }, body }, call) =>
      recorded(call, type, body.entry_ids[0] ?? 0, names.keepApart(type, body.entry_ids, body.apart, call.caller), {
        change: 'keep_apart',
        entry_ids: body.entry_ids,
        apart: body.apart,
      }),
    merges: ({ params: { type } }, { caller }) => names.merges(type, caller),
    undoMerge: ({ params: { type, merge_id } }, call) =>
      recorded(call, type, merge_id, names.undoMerge(type, merge_id, call.caller), { merge_id }),
  };
}
