import { useMe } from '../../../client/session.tsx';
import { MatrixPanel } from './matrix.tsx';
import { PatientsPanel } from './patients.tsx';
import { UsersPanel } from './users.tsx';

/** The people section: patients, accounts and access. */
export default function PeopleSection() {
  const isAdmin = useMe()?.role === 'admin';
  return (
    <>
      <PatientsPanel />
      {isAdmin && (
        <>
          <UsersPanel />
          <MatrixPanel />
        </>
      )}
    </>
  );
}
