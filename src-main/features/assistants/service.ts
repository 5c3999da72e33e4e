import type {
  AssistantPerson,
  AssistantProgram,
  assistants as contract,
} from '../../../src-shared/contract/assistants.ts';
import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { createAssistantRepository, type AssistantRepository } from './repository.ts';

export interface AssistantDeps {
  db: Database;
  clock: Clock;
  access: Pick<AccessRules, 'may' | 'visiblePatients'>;
  /** How an assistant on this computer starts the program for it. */
  program: AssistantProgram;
  nothingLeaves: () => boolean;
}
interface Deps extends AssistantDeps {
  repository: AssistantRepository;
}

export type Assistants = ReturnType<typeof createAssistants>;

/** Decides which records assistants on this computer may read. */
export const createAssistants = (dependencies: AssistantDeps) =>
  bindFirst({ ...dependencies, repository: createAssistantRepository(dependencies.db) } satisfies Deps as Deps, {
    overview,
    allow,
    revoke,
  });

/** `isHere`: the caller uses the computer on which Hearth runs. */
function overview(deps: Deps, user: UserCaller, isHere: boolean): ReplyInput<typeof contract.get> {
  const { access, program, nothingLeaves } = deps;
  return {
    people: peopleOf(deps, access.visiblePatients(user.userId), user),
    program: isHere ? program : null,
    nothing_leaves: nothingLeaves(),
  };
}

/** The caller owns the record of the patient. */
function allow(deps: Deps, patientId: number, user: UserCaller): AssistantPerson {
  deps.repository.put(patientId, user.userId, toTimestamp(deps.clock.now()));
  return peopleOf(deps, [patientId], user)[0]!;
}

/** The caller owns the record of the patient. */
function revoke(deps: Deps, patientId: number, user: UserCaller): AssistantPerson {
  deps.repository.remove(patientId);
  return peopleOf(deps, [patientId], user)[0]!;
}

function peopleOf({ repository, access }: Deps, patientIds: readonly number[], user: UserCaller): AssistantPerson[] {
  const allowed = new Map(repository.allowed().map((person) => [person.patient_id, person]));
  return repository.names(patientIds).map(({ patient_id, display_name }) => {
    const found = allowed.get(patient_id);
    return {
      ...{ patient_id, display_name, is_allowed: found !== undefined },
      allowed_by: found?.allowed_by ?? null,
      allowed_at: found?.allowed_at ?? null,
      may_change: access.may(user, 'owner', { patientId: patient_id, uploaderId: null }),
    };
  });
}
