import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Documents, TestNames } from '../documents/service.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createLabEdits, type LabEditDeps } from './edits.ts';
import { createLabListRepository } from './list-repository.ts';
import { createLabMeasurements } from './measurements.ts';
import { createLabReading } from './reading.ts';
import { createLabRepository } from './repository.ts';
import { createUnitConversion } from './unit-conversion.ts';

export interface LabDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  documents: Pick<Documents, 'rowEdits' | 'belonging'>;
  knowledge: Knowledge;
  testNames: TestNames;
  knowsTest: LabEditDeps['knowsTest'];
  testOf: LabEditDeps['testOf'];
}

export type Labs = ReturnType<typeof createLabs>;

/** Lab results of all documents: lists, trends and edits. */
export function createLabs({ db, vault, clock, access, documents, knowledge, testNames, knowsTest, testOf }: LabDeps) {
  const repository = createLabRepository(db, testNames);
  return {
    reading: createLabReading({
      access,
      repository,
      lists: createLabListRepository(db),
      convert: createUnitConversion(),
      knowledge,
    }),
    measurements: createLabMeasurements({ db, repository, testOf }),
    edits: createLabEdits({
      db,
      vault,
      clock,
      repository,
      rowEdits: documents.rowEdits,
      knowsTest,
      testOf,
      mayWrite: (user, id) => {
        const belonging = documents.belonging(id);
        return belonging !== undefined && access.may(user, 'write', belonging);
      },
    }),
  };
}
