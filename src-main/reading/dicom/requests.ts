import type { DescribedElement } from './describe-elements.ts';
import type { Dose } from './dose.ts';
import type { DicomErrorCode } from './dicom-error.ts';
import type { Deidentification } from './deidentify.ts';
import type { WindowShape } from './tones.ts';
import type { Identifiers } from './export-object.ts';

/** How a frame is drawn. Window values are in the unit of the pixels, such as Hounsfield; each may come alone. */
export interface FrameOptions {
  windowCenter?: number | undefined;
  windowWidth?: number | undefined;
  /** How values spread in the window (PS3.3, C.11.2.1.2 and C.11.2.1.3); else the header says. */
  windowShape?: WindowShape | undefined;
  /** White becomes black. */
  invert?: boolean | undefined;
  /** Times the size of the frame, 1 to 8. */
  upscale?: number | undefined;
  /** The shorter side at least, in pixels; smaller frames are enlarged. */
  minSide?: number | undefined;
  /** The longer side at most, in pixels. */
  maxSide?: number | undefined;
  /** As JPEG of this quality, 1 to 100, instead of PNG. */
  jpegQuality?: number | undefined;
}

/** Requests to the thread that draws frames. Paths are absolute, frames 0-based. */
export type FrameRequest =
  | { op: 'prepare'; path: string }
  | { op: 'draw'; path: string; frame: number; options: FrameOptions }
  | { op: 'describe'; path: string; frame: number }
  | { op: 'contents'; path: string }
  | { op: 'model'; path: string; bulk: string }
  | { op: 'bulk'; path: string; element: string }
  | { op: 'export'; path: string; target: string; identifiers: Identifiers; options: Deidentification | null }
  | { op: 'wrap'; path: string; target: string; place: WrappedPlace }
  | { op: 'bytes'; path: string; frame: number; isCoded: boolean }
  /** Stored values with their header, as they are sent. */
  | { op: 'store'; path: string; frame: number };

/** Where a picture belongs that becomes a DICOM object. */
export interface WrappedPlace {
  study: string;
  series: string;
  instance: string;
  /** From 1. */
  number: number;
  /** What people call the series. */
  description: string;
}

export interface WrapAnswer {
  /** False for a photo or a scan of paper. */
  isWritten: boolean;
}

/** Why there is no answer. */
export type FrameRefusal = { error: DicomErrorCode; message: string } | { fileError: string };

/** How many pixels each frame of a file has. */
export interface PrepareAnswer {
  pixels: number;
}

export interface DrawAnswer {
  image: Uint8Array;
}

export interface DescribeAnswer {
  elements: DescribedElement[];
  /** There are more than are described. */
  isCut: boolean;
}

export interface ContentsAnswer {
  /** A report as PDF, or a document that the object contains. */
  paper: { type: 'pdf' | 'xml'; title: string; bytes: Uint8Array } | null;
  dose: Dose | null;
}

/** The DICOM JSON model of an object, as text. */
export interface ModelAnswer {
  json: string;
}

export interface BytesAnswer {
  /** Null where the object has no such element. */
  bytes: Uint8Array | null;
}
