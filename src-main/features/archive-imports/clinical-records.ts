import { isCivilDate } from '../../../src-shared/medical/civil-date.ts';
import type { Attachment, CodeableConcept, FhirResource, Observation, Resource } from 'fhir/r4.js';

/** What Hearth has a place for in a clinical record. */
export interface ClinicalContent {
  values: { name: string; value: number; unit: string | null; date: string }[];
  /** Papers that the practice sent. */
  papers: { name: string; date: string | null; bytes: Buffer }[];
}

const MAX_NAME = 150;
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/tiff', 'tiff'],
]);

/**
 * Reads a FHIR resource (DSTU2 or R4) of an export: the numbers of observations, and the papers of reports. Null if it is
 * not one.
 */
export function readClinicalRecord(bytes: Buffer): ClinicalContent | null {
  let resource: FhirResource;
  try {
    resource = JSON.parse(bytes.toString('utf8')) as FhirResource;
  } catch {
    return null;
  }
  if (typeof resource !== 'object' || resource === null || typeof resource.resourceType !== 'string') return null;
  const content: ClinicalContent = { values: [], papers: [] };
  collect(resource, content);
  return content;
}

function collect(resource: FhirResource, content: ClinicalContent): void {
  switch (resource.resourceType) {
    case 'Observation':
      return collectValues(resource, content);
    case 'DiagnosticReport': {
      for (const one of asList(resource.contained)) if (isObservation(one)) collectValues(one, content);
      const date = dayOf(resource.effectiveDateTime ?? resource.effectivePeriod?.start ?? resource.issued);
      for (const paper of asList(resource.presentedForm)) addPaper(paper, titleOf(resource.code), date, content);
      return;
    }
    case 'DocumentReference':
      for (const { attachment } of asList(resource.content))
        addPaper(attachment, textOf(resource.description) ?? titleOf(resource.type), dayOf(resource.date), content);
      return;
  }
}

const isObservation = (resource: Resource): resource is Observation => resource.resourceType === 'Observation';

/** The value of an observation, and those of its parts, such as both of a blood pressure. */
function collectValues(observation: Observation, { values }: ClinicalContent): void {
  const date = dayOf(observation.effectiveDateTime ?? observation.effectivePeriod?.start ?? observation.issued);
  if (date === null) return;
  for (const { code, valueQuantity } of [observation, ...asList(observation.component)]) {
    const name = titleOf(code);
    const value = valueQuantity?.value;
    // `< 0.3` is not the value 0.3.
    if (name === null || typeof value !== 'number' || !Number.isFinite(value) || valueQuantity?.comparator) continue;
    values.push({ name, value, unit: textOf(valueQuantity?.unit) ?? textOf(valueQuantity?.code), date });
  }
}

function addPaper(paper: Attachment | undefined, title: string | null, date: string | null, content: ClinicalContent) {
  const extension = EXTENSIONS.get((textOf(paper?.contentType) ?? '').split(';', 1)[0]!.trim().toLowerCase());
  if (extension === undefined || typeof paper?.data !== 'string') return;
  const bytes = Buffer.from(paper.data, 'base64');
  const name = (textOf(paper.title) ?? title ?? 'Report').slice(0, MAX_NAME).replace(/\.\w{3,4}$/, '');
  if (bytes.length > 0) content.papers.push({ name: `${name}.${extension}`, date, bytes });
}

function titleOf(concept: CodeableConcept | undefined): string | null {
  const text = concept?.text || asList(concept?.coding).find(({ display }) => display)?.display;
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, MAX_NAME) : null;
}

/** The day where it was recorded, of an instant or a day; null for a month or year alone. */
function dayOf(time: string | undefined): string | null {
  const day = typeof time === 'string' ? time.slice(0, 10) : '';
  return isCivilDate(day) ? day : null;
}

/** Foreign files may have anything where a text belongs. */
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
/** Foreign files may have anything where a list belongs. */
const asList = <T>(list: readonly T[] | undefined): readonly T[] => (Array.isArray(list) ? list.filter(isThing) : []);
const isThing = (one: unknown): boolean => typeof one === 'object' && one !== null;
