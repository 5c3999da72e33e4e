import type { ImagingStudy } from '../../../../src-shared/contract/imaging.ts';
import { useMayEdit, useMayShare } from '../../../client/session.tsx';

/** Whether the user may change a study: editors those of patients whom they own, administrators every one. */
export function useMayChange({ patient_id }: Pick<ImagingStudy, 'patient_id'>): boolean {
  const mayEdit = useMayEdit();
  const isOwner = useMayShare();
  return mayEdit && (patient_id === null || isOwner(patient_id));
}
