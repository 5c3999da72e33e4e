import { classNames } from '../ui/class-names.ts';
import { useIsEveryone, usePatients } from './session.tsx';

/** Number of colors of people: the hues that stay apart from those that mean something. */
const COLORS = 5;

const firstWord = (name: string): string => name.trim().split(/\s+/)[0] ?? name;

/** The first name of a person, or the whole name if somebody else of the household has the same first name. */
export function shortNameOf(name: string, household: readonly string[]): string {
  const isShared = household.filter((other) => firstWord(other) === firstWord(name)).length > 1;
  return isShared ? name : firstWord(name);
}

/** The colored mark of a person, with the first letter. Colors follow the order in which people were added. */
export function PersonMark({
  id,
  name,
  size = 'small',
}: {
  id: number;
  name: string;
  size?: 'small' | 'medium' | 'large';
}) {
  const ids = usePatients()
    .map((patient) => patient.id)
    .sort((a, b) => a - b);
  return (
    <span
      className={classNames('person-mark', size !== 'small' && `person-mark-${size}`)}
      data-color={Math.max(0, ids.indexOf(id)) % COLORS}
      aria-hidden="true"
      translate="no"
    >
      {name.trim().charAt(0).toUpperCase()}
    </span>
  );
}

/** A person by colored mark and first name. */
export function Person({ id, name }: { id: number; name: string }) {
  const household = usePatients().map(({ display_name }) => display_name);
  return (
    <span className="person" title={name}>
      <PersonMark id={id} name={name} />
      <span className="truncate">{shortNameOf(name, household)}</span>
    </span>
  );
}

/** Whose row it is, where all people are shown; nothing for one person. Undecided documents are nobody's yet. */
export function RowPerson({
  of: { patient_id: id, patient_name: name, patient_undecided: isUndecided = false },
}: {
  of: { patient_id: number | null; patient_name: string | null; patient_undecided?: boolean };
}) {
  const isEveryone = useIsEveryone();
  if (!isEveryone || id === null || name === null || isUndecided) return null;
  return <Person id={id} name={name} />;
}
