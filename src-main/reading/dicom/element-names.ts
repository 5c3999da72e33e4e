import { dictionary } from 'dcmjs/dictionary';
import type { Tag } from './data-set.ts';

/** What an element is called; empty where nobody says so. */
export interface ElementName {
  /** As PS3.6 has it: `PatientBirthDate`. */
  keyword: string;
  /** The keyword in words. */
  name: string;
  /** The VR of the standard, for files that name none; null where it depends on other elements or is unknown. */
  vr: string | null;
}

/** VRs that depend on other elements, as the dictionary writes them, and how such values are read here. */
const OPEN_VRS: Readonly<Record<string, string | null>> = { ox: 'OW', xs: 'US', lt: 'OW', up: 'UL', na: null };
const UNKNOWN: ElementName = { keyword: '', name: '', vr: null };

/** Repeating groups (PS3.5, section 7.6) are listed once. */
const listedGroup = (group: string): string =>
  /^(50|60)[0-9A-F]{2}$/.test(group) ? `${group.slice(0, 2)}00-${group.slice(0, 2)}FF` : group;

/** The name of an element; `creator` is that of a private block. @see PS3.6, chapter 6 */
export function elementName(tag: Tag, creator: string | null): ElementName {
  const [group, element] = [tag.slice(1, 5).toUpperCase(), tag.slice(5).toUpperCase()];
  if (Number.parseInt(group, 16) % 2 === 1) return privateName(group, element, creator);
  if (element === '0000') return { keyword: 'GroupLength', name: 'Group Length', vr: 'UL' };
  const { name = '', vr = null } = dictionary[`(${listedGroup(group)},${element})`] ?? {};
  const keyword = name.replace(/^RETIRED_/, '');
  return { keyword, name: inWords(keyword), vr: vr !== null && vr in OPEN_VRS ? OPEN_VRS[vr]! : vr };
}

function privateName(group: string, element: string, creator: string | null): ElementName {
  if (/^00[1-9A-F][0-9A-F]$/.test(element)) return { keyword: 'PrivateCreator', name: 'Private Creator', vr: 'LO' };
  if (creator === null) return UNKNOWN;
  const { name = '', vr = null } =
    dictionary[`(${group.toLowerCase()},"${creator}",${element.slice(2).toLowerCase()})`] ?? {};
  return name === 'Unknown' ? { ...UNKNOWN, vr } : { keyword: name, name: inWords(name), vr };
}

/** `SOPInstanceUID` → `SOP Instance UID`. */
const inWords = (keyword: string): string =>
  keyword.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])(?!Ivol)([A-Z][a-z])/g, '$1 $2');

/** The tag of an attribute as a query names it: eight hexadecimal digits or a keyword; null for others. */
export function tagOfAttribute(name: string): string | null {
  if (/^[\da-f]{8}$/i.test(name)) return name.toUpperCase();
  tags ??= new Map(
    Object.entries(dictionary).flatMap(([tag, entry]) =>
      /^\([\dA-F]{4},[\dA-F]{4}\)$/.test(tag) ? [[entry.name ?? '', tag.replace(/[(),]/g, '')]] : [],
    ),
  );
  return tags.get(name) ?? null;
}

let tags: Map<string, string> | undefined;
