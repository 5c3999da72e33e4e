/** A FHIR resource (R4 or DSTU2) as a practice sent it: any field may be missing or have another type. */
type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
function textOf(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? String(value) : null;
}
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
const joinParts = (parts: readonly (string | null)[], by = ', '): string | null =>
  parts.filter(Boolean).join(by) || null;

/** Returns the text of a code: the sender's own, else the first label. */
function conceptText(value: unknown): string | null {
  if (!isObject(value)) return textOf(value);
  return (
    textOf(value.text) ??
    listOf(value.coding)
      .filter(isObject)
      .map(({ display, code }) => textOf(display) ?? textOf(code))
      .find((text) => text !== null) ??
    null
  );
}

function quantityText(value: unknown): string | null {
  if (!isObject(value)) return null;
  const number = textOf(value.value);
  return number === null
    ? null
    : joinParts(
        [textOf(value.comparator), joinParts([number, textOf(value.unit) ?? textOf(value.code)], '\u202f')],
        '',
      );
}

const referenceText = (value: unknown): string | null =>
  isObject(value) ? (textOf(value.display) ?? textOf(value.reference)) : null;
const rangeText = (value: unknown): string | null =>
  isObject(value)
    ? (textOf(value.text) ?? joinParts([quantityText(value.low), quantityText(value.high)], ' – '))
    : null;
const dayOf = (...values: unknown[]): string | null =>
  values
    .map((value) => (isObject(value) ? textOf(value.start) : textOf(value)))
    .find((text) => text !== null && /^\d{4}/.test(text))
    ?.slice(0, 10) ?? null;
const measuredValue = (of: Json): string | null =>
  quantityText(of.valueQuantity) ?? textOf(of.valueString) ?? conceptText(of.valueCodeableConcept);
const componentText = (value: unknown): string | null =>
  isObject(value) ? joinParts([conceptText(value.code), measuredValue(value)], ': ') : null;

export const FHIR_FACTS = [
  'value',
  'parts',
  'range',
  'meaning',
  'day',
  'onset',
  'status',
  'dosage',
  'reaction',
  'reason',
  'by',
  'conclusion',
  'notes',
] as const;
type FhirFact = (typeof FHIR_FACTS)[number];

/** Lists the main facts of a resource, in this order, without those that it lacks. */
export function fhirFacts(fhir: unknown): { fact: FhirFact; value: string }[] {
  if (!isObject(fhir)) return [];
  const all = (values: unknown, read: (value: unknown) => string | null): string | null =>
    joinParts(listOf(values).map(read));
  const texts: Record<FhirFact, string | null> = {
    value: measuredValue(fhir),
    parts: all(fhir.component, componentText),
    range: all(fhir.referenceRange, rangeText),
    meaning: all(fhir.interpretation, conceptText),
    day: dayOf(
      fhir.effectiveDateTime,
      fhir.effectivePeriod,
      fhir.performedDateTime,
      fhir.performedPeriod,
      fhir.occurrenceDateTime,
      fhir.authoredOn,
      fhir.dateWritten,
      fhir.date,
      fhir.issued,
      fhir.recordedDate,
      fhir.dateRecorded,
    ),
    onset: dayOf(fhir.onsetDateTime, fhir.onsetPeriod) ?? textOf(fhir.onsetString),
    status: conceptText(fhir.clinicalStatus) ?? textOf(fhir.status),
    dosage: all([...listOf(fhir.dosage), ...listOf(fhir.dosageInstruction)], (each) =>
      isObject(each) ? textOf(each.text) : null,
    ),
    reaction: all(fhir.reaction, (each) => (isObject(each) ? all(each.manifestation, conceptText) : null)),
    reason: all(fhir.reasonCode, conceptText),
    by: all(
      [...listOf(fhir.performer), ...listOf(fhir.requester), ...listOf(fhir.recorder), ...listOf(fhir.asserter)],
      (each) => (isObject(each) && isObject(each.actor) ? referenceText(each.actor) : referenceText(each)),
    ),
    conclusion: textOf(fhir.conclusion),
    notes: all(fhir.note, (each) => (isObject(each) ? textOf(each.text) : textOf(each))),
  };
  return FHIR_FACTS.flatMap((fact) => {
    const value = texts[fact];
    return value === null ? [] : [{ fact, value }];
  });
}
