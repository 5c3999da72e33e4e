import { describe, expect, it } from 'vitest';
import { grantOf, withGrant, type Matrix } from './queries.ts';

const matrix: Matrix = {
  users: [],
  patients: [],
  grants: [
    { user_id: 1, patient_id: 1, role: 'owner' },
    { user_id: 1, patient_id: 2, role: 'viewer' },
  ],
};

describe('the access matrix', () => {
  it('is read and changed one cell at a time', () => {
    expect([grantOf(matrix, 1, 1), grantOf(matrix, 1, 2), grantOf(matrix, 2, 1)]).toEqual(['owner', 'viewer', 'none']);
    const changed = withGrant(withGrant(withGrant(matrix, 1, 1, 'none'), 2, 1, 'viewer'), 1, 2, 'owner');
    expect([grantOf(changed, 1, 1), grantOf(changed, 1, 2), grantOf(changed, 2, 1)]).toEqual([
      'none',
      'owner',
      'viewer',
    ]);
    expect(matrix.grants).toHaveLength(2);
  });
});
