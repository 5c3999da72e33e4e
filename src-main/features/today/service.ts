import type { today as contract } from '../../../src-shared/contract/today.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Documents } from '../documents/service.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toCivilDate, type Clock } from '../../platform/kernel/clock.ts';
import type { TodayRepository } from './repository.ts';

type Overview = ReplyInput<typeof contract.overview>;

const SHOWN = 20;
const RECENT = 10;
const SERIES = 12;

export interface TodayDeps {
  access: AccessRules;
  clock: Clock;
  documents: Documents['queries'];
  /** Undecided documents that were added for somebody else or for nobody, but may be this person's. */
  chosenForOthers(patientId: number, user: UserCaller): Overview['to_review'];
  repository: TodayRepository;
}

export type TodayService = ReturnType<typeof createToday>;

export function createToday({ access, clock, documents, chosenForOthers, repository }: TodayDeps) {
  const abnormalOf = (patientIds: number[], user: UserCaller): Overview['abnormal'] =>
    repository.abnormal(patientIds).map((found) => {
      const results = documents
        .get(found.document_id, user)
        .lab_results.filter((result) => result.is_abnormal === true);
      return {
        ...found,
        results: results.map((result) => ({
          ...result,
          series:
            result.patient_id === null
              ? []
              : repository.series(result.patient_id, { name: result.test_name_original, unit: result.unit }, SERIES),
        })),
      };
    });
  return {
    overview({ patient_id, follow_ups: limit }: Input<typeof contract.overview>['query'], user: UserCaller): Overview {
      const visible = access.visiblePatients(user.userId);
      const patientIds = patient_id === undefined ? visible : visible.filter((id) => id === patient_id);
      const list = (query: { status: string[]; sort: 'created_at'; limit: number; decidedOnly?: boolean }) =>
        documents.list({ ...query, patient_id, order: 'desc', offset: 0 }, user);
      const review = list({ status: ['needs_review', 'failed'], sort: 'created_at', limit: SHOWN });
      const others = patient_id === undefined ? [] : chosenForOthers(patient_id, user);
      const all = documents.list({ patient_id, limit: 1, offset: 0 }, user);
      const followUps = repository.followUps(patientIds, toCivilDate(clock.now()), limit);
      return {
        to_review: [...others, ...review.items].slice(0, SHOWN),
        to_review_total: others.length + review.total,
        recent: list({ status: ['done', 'needs_review'], sort: 'created_at', limit: RECENT, decidedOnly: true }).items,
        abnormal: abnormalOf(patientIds, user),
        follow_ups: followUps.rows as Overview['follow_ups'],
        follow_up_total: followUps.total,
        document_total: all.total,
      };
    },
  };
}
