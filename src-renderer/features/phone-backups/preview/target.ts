/** A file to preview, and where it was on the phone. */
export interface Target {
  fileId: string;
  name: string;
  path: string;
  domain: string;
  at?: string | null;
  offset?: number | null;
  what?: string;
}
