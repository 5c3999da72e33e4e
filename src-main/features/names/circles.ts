import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { circleOf, type Home } from './circle.ts';
import { createCircleRepository, isInCircle } from './circle-repository.ts';
import type { EntryRow, NameRepository } from './repository.ts';
import { homeOf } from './rights.ts';

export interface NameCircle {
  repository: NameRepository;
  /** Whether the entry belongs to the circle, or one of its records refers to it. */
  has(kind: NameKind, id: number): boolean;
}

export type NameCircles = ReturnType<typeof createNameCircles>;

/** Circles by a record of theirs, or by an entry. */
export function createNameCircles({ db, access }: { db: Database; access: AccessRules }) {
  const circles = {
    of(home: Home): NameCircle {
      const circle = circleOf(access, home);
      return {
        repository: createCircleRepository(db, circle),
        has: (kind, id) => isInCircle(db, circle, kind, id),
      };
    },
    /** The entries among which the entry's code and spellings must be unique. */
    around: (entry: EntryRow): NameRepository =>
      circles.of(homeOf(entry) ?? { patientId: null, uploaderId: null }).repository,
  };
  return circles;
}
