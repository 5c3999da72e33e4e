import { useNavigate } from '@tanstack/react-router';
import { useMayShare } from './session.tsx';

/**
 * Returns what opens a new share with documents of one patient; null for documents that the user may not share, or that
 * belong to several people or to nobody.
 */
export function useShareDocuments(patientId: number | null | undefined, ids: readonly number[]): (() => void) | null {
  const navigate = useNavigate();
  const mayShare = useMayShare();
  if (patientId == null || ids.length === 0 || !mayShare(patientId)) return null;
  return () => void navigate({ to: '/shares/new', search: { of: String(patientId), documents: ids.join(',') } });
}
