/** A file to look at. */
export interface Target {
  fileId: string;
  name: string;
  path: string;
  domain: string;
  at?: string | null;
  offset?: number | null;
  what?: string;
}
