/** A media range of `Accept` (RFC 9110, 12.5.1) as DICOMweb uses it: `multipart/related; type="…"` names its parts. */
export interface MediaRange {
  isMultipart: boolean;
  /** Of each part, in lower case, such as `application/dicom` or an asterisk for both halves. */
  type: string;
  /** `*` accepts every one; null leaves the choice to the server. */
  transferSyntax: string | null;
  quality: number;
}

/** What a client accepts, best first. `accept` parameters of the address come before the header (PS3.18, 8.3.3.1). */
export function acceptedRanges(header: string, search: URLSearchParams): MediaRange[] {
  const texts = [...search.getAll('accept'), header].flatMap(splitList);
  const ranges = texts.map(rangeOf).filter(({ quality }) => quality > 0);
  return ranges.sort((a, b) => b.quality - a.quality);
}

/** At commas outside of quotes. */
const splitList = (text: string): string[] =>
  (text.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');

function rangeOf(text: string): MediaRange {
  const [outer = '', ...rest] = (text.match(/(?:"[^"]*"|[^;"])+/g) ?? []).map((part) => part.trim());
  const parameters = new Map(
    rest.map((part): [string, string] => {
      const [name = '', ...value] = part.split('=');
      return [
        name.trim().toLowerCase(),
        value
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ];
    }),
  );
  const isMultipart = outer.toLowerCase().startsWith('multipart/');
  return {
    isMultipart,
    type: (isMultipart ? (parameters.get('type') ?? '*/*') : outer).toLowerCase(),
    transferSyntax: parameters.get('transfer-syntax') ?? null,
    quality: Number(parameters.get('q') ?? 1),
  };
}

/** Whether a media type is in a range. */
export function covers({ type }: MediaRange, mediaType: string): boolean {
  return type === '*/*' || type === mediaType || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1)));
}
