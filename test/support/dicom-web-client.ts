import { api } from 'dicomweb-client';

/** What tests use of `dicomweb-client`, the library of OHIF and Slim. */
export interface ForeignViewer {
  searchForStudies(options?: object): Promise<JsonModel[]>;
  searchForSeries(options: object): Promise<JsonModel[]>;
  searchForInstances(options: object): Promise<JsonModel[]>;
  retrieveStudyMetadata(options: object): Promise<JsonModel[]>;
  retrieveSeriesMetadata(options: object): Promise<JsonModel[]>;
  retrieveInstance(options: object): Promise<ArrayBuffer>;
  retrieveStudy(options: object): Promise<ArrayBuffer[]>;
  retrieveInstanceFrames(options: object): Promise<ArrayBuffer[]>;
  retrieveInstanceRendered(options: object): Promise<ArrayBuffer[]>;
  retrieveBulkData(options: object): Promise<ArrayBuffer[]>;
}
export type JsonModel = Record<string, { vr: string; Value?: unknown[]; BulkDataURI?: string; InlineBinary?: string }>;

/** The part of XMLHttpRequest that the library uses, which Node lacks. */
class FetchRequest {
  responseType = '';
  readyState = 0;
  status = 0;
  response: unknown = null;
  onreadystatechange: (() => void) | null = null;
  #url = '';
  #headers: Record<string, string> = {};
  #received = new Headers();

  open(_method: string, url: string): void {
    this.#url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }
  getResponseHeader = (name: string): string | null => this.#received.get(name);
  getAllResponseHeaders = (): string => [...this.#received].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  send(): void {
    void this.#fetch();
  }
  async #fetch(): Promise<void> {
    const response = await fetch(this.#url, { headers: this.#headers });
    this.#received = response.headers;
    this.status = response.status;
    this.response = this.responseType === 'json' ? await response.json() : await response.arrayBuffer();
    this.readyState = 4;
    this.onreadystatechange?.();
  }
}

/** A viewer that is not ours, with a token. */
export function foreignViewer(url: string, token: string): ForeignViewer {
  Object.assign(globalThis, { XMLHttpRequest: FetchRequest });
  const headers = { Authorization: `Bearer ${token}` };
  return new api.DICOMwebClient({ url, headers, verbose: false, singlepart: false }) as unknown as ForeignViewer;
}
