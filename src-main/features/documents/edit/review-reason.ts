import { fillIn } from '../../../../src-shared/contract/error-text.ts';
import { REVIEW_TEXTS } from '../../../../src-shared/contract/review-reasons.ts';
import type { ReviewReason } from '../../../reading/extraction/extraction.ts';

/** Adds the English text of a review reason; the interface has its own, by code. */
export function withDetail(reason: ReviewReason): ReviewReason & { detail: string } {
  const params = { ...(reason.field && { field: reason.field }), ...reason.params };
  return { ...reason, detail: fillIn(REVIEW_TEXTS[reason.code], params) };
}
