/** What an object is, for people: its SOP class in words. */
export type InstanceKind = 'image' | 'report' | 'encapsulated_pdf' | 'dose' | 'presentation' | 'other';

/** PS3.4, table B.5-1. Families of classes end with a dot. */
const KINDS: readonly [prefix: string, kind: InstanceKind][] = [
  ['1.2.840.10008.5.1.4.1.1.88.67', 'dose'],
  ['1.2.840.10008.5.1.4.1.1.88.68', 'dose'],
  ['1.2.840.10008.5.1.4.1.1.88.73', 'dose'],
  ['1.2.840.10008.5.1.4.1.1.88.74', 'dose'],
  ['1.2.840.10008.5.1.4.1.1.88.75', 'dose'],
  ['1.2.840.10008.5.1.4.1.1.88.76', 'dose'],
  // Key objects select pictures, as presentation states do.
  ['1.2.840.10008.5.1.4.1.1.88.59', 'presentation'],
  ['1.2.840.10008.5.1.4.1.1.88.', 'report'],
  ['1.2.840.10008.5.1.4.1.1.104.1', 'encapsulated_pdf'],
  ['1.2.840.10008.5.1.4.1.1.11.', 'presentation'],
];

/** What an object of a SOP class is; what has pixels is an image, whatever its class. */
export function kindOfInstance(sopClassUid: string, hasPixels: boolean): InstanceKind {
  const found = KINDS.find(([prefix]) =>
    prefix.endsWith('.') ? sopClassUid.startsWith(prefix) : sopClassUid === prefix,
  );
  if (found) return found[1];
  return hasPixels ? 'image' : 'other';
}
