import { readPrinted } from './printed-document.ts';

/** What of a paper is compared; fields that are left out are not. */
export interface Wanted {
  type?: string;
  event?: string;
  issued?: string;
  doctor?: string;
  facility?: string;
  diag?: string[];
  vac?: string[];
}

/** What is read of a paper, limited to the fields that are wanted. */
export function readWanted(wanted: Wanted, text: string): Wanted {
  const read = readPrinted(text.split('\n'));
  const found: { [key in keyof Wanted]: unknown } = {
    type: read.doc_type.value,
    event: read.event_date?.value,
    issued: read.issued_date?.value,
    doctor: read.doctor_name?.value,
    facility: read.facility_name?.value,
    diag: read.diagnoses.map((row) => row.diagnosis_original),
    vac: read.vaccinations.map((row) => `${row.vaccine_name} ${row.date_administered ?? ''}`),
  };
  return Object.fromEntries(Object.entries(found).filter(([field]) => field in wanted)) as Wanted;
}
