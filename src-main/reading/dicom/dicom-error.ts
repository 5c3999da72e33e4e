/** Why a DICOM object can't be read or a frame of it can't be shown. */
export type DicomErrorCode =
  /** It is another kind of file. */
  | 'not_dicom'
  /** The bytes contradict the standard, or end too early. */
  | 'damaged'
  /** Sequences are nested deeper, or there are more elements, than a reader may follow. */
  | 'too_complex'
  /** The picture, or what the file inflates to, is larger than a reader may hold. */
  | 'too_large'
  /** It has no pixel data, such as a report or a waveform. */
  | 'no_pixels'
  /** It has fewer frames. */
  | 'no_frame'
  /** Its transfer syntax is unknown or has no decoder. */
  | 'unsupported_syntax'
  /** Its combination of colors and bits has no decoder. */
  | 'unsupported_pixels'
  /** Decoding took more time or memory than a picture may. */
  | 'too_demanding';

/** An expected error of a foreign file; its message is for developers and contains nothing of a patient. */
export class DicomError extends Error {
  readonly code: DicomErrorCode;

  constructor(code: DicomErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DicomError';
    this.code = code;
  }
}
