import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { NameProposal, names as contract } from '../../../src-shared/contract/names.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { askAboutData, sentenceOf } from '../../reading/providers/models/ask-about-data.ts';
import type { GeneralModel } from '../../reading/providers/models/general.ts';
import { candidatesOf, type CandidateDeps } from './merge-candidates.ts';
import { identityOf, pairKey, proposeMerges, type Candidate } from './proposals.ts';

export interface ModelMergeDeps extends CandidateDeps {
  access: Pick<AccessRules, 'requirePatient'>;
  model: Pick<GeneralModel, 'ask' | 'isAvailable'>;
}

const KINDS: Record<NameKind, string> = {
  lab_tests: 'laboratory tests',
  specialties: 'medical specialties',
  diagnoses: 'diagnoses',
  medications: 'medicines',
  doctors: 'physicians',
  facilities: 'medical practices, laboratories and hospitals',
};
const systemFor = (
  kind: NameKind,
): string => `You find names of ${KINDS[kind]} in a list that mean exactly the same, such as a translation, an abbreviation or a
trade name and its substance. Similar or related ones are not the same: other materials, units, strengths, numbers, sides of
the body, people or places are different. Answer with groups by number: the best name as target, the others as sources, each
with a reason of one sentence and a confidence from 0 to 1. None is a good answer.`;
/** More would not fit into the memory of a small model. */
const MAX_NAMES = 150;
const MAX_NAME = 120;

/**
 * Proposes merges that a model finds among the names of one patient's record, besides those that are proposed without
 * one. Nothing is merged, and each has to be checked by a person.
 */
export async function proposeModelMerges(
  deps: ModelMergeDeps,
  kind: NameKind,
  patientId: number,
  user: UserCaller,
  signal: AbortSignal,
): Promise<ReplyInput<typeof contract.autoMerge>> {
  const { repository, references, rights, entries, access, model } = deps;
  access.requirePatient(user, patientId, 'write');
  if (!model.isAvailable()) throw fail('model.not_set_up');
  // The viewer of one record: neither names nor spellings of others are given.
  const patients = JSON.stringify([patientId]);
  const viewer = { ...rights.viewer(user), patients, writable: patients, admin: 0 };
  const ids = references.seen(kind, viewer, { used: true, unused: false, editor: false });
  const rows = repository.entries(kind).filter(({ id }) => ids.has(id));
  const apart = new Set(repository.distinctions(kind).map(({ low_id, high_id }) => pairKey(low_id, high_id)));
  const all = candidatesOf(deps, kind, rows, viewer).sort((a, b) => b.uses - a.uses);
  const candidates = all.slice(0, MAX_NAMES);
  if (candidates.length < 2) return { proposals: [], entries: [], usage: null };
  const { mergeAnswer } = await import('../../../src-shared/contract/model-proposals.ts');
  const { said, usage } = await askAboutData(
    deps,
    mergeAnswer,
    {
      system: systemFor(kind),
      given: candidates.map(({ display }, index) => `[${index + 1}] ${display.slice(0, MAX_NAME)}`).join('\n'),
      request: 'Which of them mean the same?',
    },
    signal,
  );
  const known = new Set(
    proposeMerges(kind, all, apart).flatMap(({ target_id, source_ids }) =>
      source_ids.map((id) => pairKey(id, target_id)),
    ),
  );
  const used = new Set<number>();
  const proposals = said.merges.flatMap(({ target, sources, reason }): NameProposal[] => {
    const into = candidates[target - 1];
    if (!into || used.has(into.id)) return [];
    const from = [...new Set(sources)].flatMap((number) => {
      const one = candidates[number - 1];
      if (!one || one === into || used.has(one.id) || !mayBeSame(into, one)) return [];
      const key = pairKey(one.id, into.id);
      return apart.has(key) || known.has(key) ? [] : [one.id];
    });
    if (from.length === 0 || ![into.id, ...from].every((id) => rights.mayChange(user, kind, id))) return [];
    for (const id of [into.id, ...from]) used.add(id);
    return [
      {
        ...{ target_id: into.id, source_ids: from, reason: sentenceOf(reason), reason_code: 'by_model', code: null },
        // A model alone never makes a merge certain.
        ...{ source: 'llm', confidence: 'review' },
      },
    ];
  });
  const mentioned = rows.filter(({ id }) => used.has(id));
  return { proposals, entries: entries.wire(kind, mentioned, user), usage };
}

/** Different codes mean different things, and so do different numbers: vitamin B6 is not vitamin B12. */
export function mayBeSame(a: Candidate, b: Candidate): boolean {
  const [one, other] = [identityOf(a), identityOf(b)];
  if (one !== null && other !== null && one !== other) return false;
  return numbersIn(a.display) === numbersIn(b.display);
}

const numbersIn = (text: string): string => (text.match(/\d+(?:[.,]\d+)?/g) ?? []).sort().join(' ');
