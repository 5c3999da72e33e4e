import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { DicomError, type DicomErrorCode } from './dicom-error.ts';

const REASONS: Record<DicomErrorCode, PlainErrorCode> = {
  not_dicom: 'imaging.frame_damaged',
  damaged: 'imaging.frame_damaged',
  too_complex: 'imaging.frame_damaged',
  too_large: 'imaging.frame_too_demanding',
  too_demanding: 'imaging.frame_too_demanding',
  // An object is listed with frames where its header has the size of an image.
  no_pixels: 'imaging.frame_damaged',
  no_frame: 'imaging.frame_not_found',
  unsupported_syntax: 'imaging.frame_unsupported',
  unsupported_pixels: 'imaging.frame_unsupported',
};

/** @throws the reason why a picture is not shown, in place of a DicomError */
export function throwUndecodable(error: unknown): never {
  throw error instanceof DicomError ? fail(REASONS[error.code], undefined, error) : error;
}
