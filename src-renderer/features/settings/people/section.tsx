import { useMe } from '../../../client/session.tsx';
import { MatrixPanel } from './matrix.tsx';
import { PatientsPanel } from './patients.tsx';
import { UsersPanel } from './users.tsx';

/** Whose records are kept, who may sign in, and who sees whom. */
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
