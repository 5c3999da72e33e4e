import { apple, database } from '../fixtures/ios-backup/artifacts/tables.ts';

const lab = (text: string, value: number, unit: string, low: number, high: number, code = 'N') => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text },
  valueQuantity: { value, unit },
  referenceRange: [{ low: { value: low, unit }, high: { value: high, unit } }],
  interpretation: [{ coding: [{ code, display: code === 'N' ? 'Normal' : 'Low' }] }],
  effectiveDateTime: '2025-03-11T07:40:00+01:00',
  performer: [{ display: 'Labor Mittelland AG' }],
});

/** What practices sent to the phone, as FHIR resources. */
const RECORDS = [
  lab('TSH', 2.4, 'mU/l', 0.4, 4),
  lab('Ferritin', 23, 'µg/l', 30, 200, 'L'),
  lab('Hämoglobin', 138, 'g/l', 120, 160),
  {
    resourceType: 'Observation',
    status: 'final',
    code: { text: 'Blutdruck' },
    component: [
      { code: { text: 'Systolisch' }, valueQuantity: { value: 121, unit: 'mmHg' } },
      { code: { text: 'Diastolisch' }, valueQuantity: { value: 78, unit: 'mmHg' } },
    ],
    effectiveDateTime: '2025-03-11',
  },
  {
    resourceType: 'MedicationRequest',
    status: 'active',
    medicationCodeableConcept: { text: 'Eltroxin 50 µg' },
    authoredOn: '2025-03-11',
    dosageInstruction: [{ text: '1-0-0, nüchtern' }],
    requester: { display: 'Dr. med. Peter Frisch' },
  },
  {
    resourceType: 'Condition',
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: { text: 'Hypothyreose' },
    onsetDateTime: '2019-04-02',
    recorder: { display: 'Dr. med. Peter Frisch' },
  },
  {
    resourceType: 'AllergyIntolerance',
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: { text: 'Penicillin' },
    reaction: [{ manifestation: [{ text: 'Hautausschlag' }] }],
    recordedDate: '2012-08-20',
  },
  {
    resourceType: 'Immunization',
    status: 'completed',
    vaccineCode: { text: 'Boostrix' },
    occurrenceDateTime: '2024-11-05',
    performer: [{ actor: { display: 'Praxis am Markt' } }],
  },
  {
    resourceType: 'DiagnosticReport',
    status: 'final',
    code: { text: 'MR Knie links' },
    effectiveDateTime: '2025-01-20',
    conclusion: 'Kein Meniskusriss. Kein Erguss.',
  },
];

/** Weight, pulse and steps of each day. */
function measurements(days: readonly number[]): { samples: number[][]; quantities: (number | null)[][] } {
  const samples: number[][] = [],
    quantities: (number | null)[][] = [];
  for (const day of days) {
    const at = apple(new Date(Date.UTC(2025, 0, 1, 7) + day * 86_400_000).toISOString().slice(0, 19));
    for (const [type, value, hour] of [
      [3, 71.5 - day * 0.008 + Math.sin(day / 6) * 0.5, 0],
      [5, (64 + Math.sin(day / 9) * 6 + (day % 3)) / 60, 1],
      [5, (92 + Math.cos(day / 5) * 11) / 60, 9],
      [7, 3200 + ((day * 271) % 2900), 2],
      [7, 2100 + ((day * 131) % 2400), 8],
    ] as const) {
      const id = samples.length + 1;
      samples.push([id, at + hour * 3600, at + hour * 3600 + 60, type]);
      quantities.push([id, value, null, null]);
    }
  }
  return { samples, quantities };
}

const CLINICAL_RECORDS = {
  columns:
    'ROWID INTEGER PRIMARY KEY, type TEXT, account_id INTEGER, id TEXT, raw_content BLOB, ' +
    'received_date REAL, fhir_version TEXT, source_url TEXT',
  rows: RECORDS.map((record, index) => [
    index + 1,
    record.resourceType,
    1,
    `record-${index + 1}`,
    Buffer.from(JSON.stringify(record)),
    apple(`2025-0${1 + (index % 8)}-14T10:00:00`),
    '4.0.1',
    'https://fhir.labor-mittelland.example',
  ]),
};

const OWNER = {
  columns: 'ROWID INTEGER PRIMARY KEY, category INTEGER, domain TEXT, key TEXT, value',
  rows: [
    [1, 1, '', 'birthdate', apple('1979-05-09T00:00:00')],
    [2, 1, '', 'sex', 1],
    [3, 1, '', 'blood_type', 7],
    [4, 1, '', 'fitzpatrick_skin_type', 2],
  ],
};

export function health(folder: string): Buffer {
  const days = Array.from({ length: 240 }, (_, day) => day);
  const { samples, quantities } = measurements(days);
  return database(folder, {
    samples: {
      columns: 'data_id INTEGER PRIMARY KEY, start_date REAL, end_date REAL, data_type INTEGER',
      rows: samples,
    },
    objects: {
      columns: 'data_id INTEGER PRIMARY KEY, uuid BLOB, provenance INTEGER, type INTEGER, creation_date REAL',
      rows: samples.map(([id = 0, , , type]) => [
        id,
        Buffer.from(String(id).padStart(16, '0')),
        type === 3 ? 2 : 1,
        1,
        0,
      ]),
    },
    data_provenances: {
      columns: 'ROWID INTEGER PRIMARY KEY, source_id INTEGER, device_id INTEGER',
      rows: [
        [1, 1, 1],
        [2, 2, 2],
      ],
    },
    quantity_samples: {
      columns: 'data_id INTEGER PRIMARY KEY, quantity REAL, original_quantity REAL, original_unit INTEGER',
      rows: quantities,
    },
    unit_strings: { columns: 'ROWID INTEGER PRIMARY KEY, unit_string TEXT', rows: [[1, 'count/min']] },
    key_value_secure: OWNER,
    original_fhir_resources: CLINICAL_RECORDS,
    user_domain_concepts: {
      columns: 'udc_id INTEGER PRIMARY KEY, uuid BLOB, creation_date REAL, deleted INTEGER',
      rows: [
        [1, Buffer.alloc(16, 9), apple('2025-01-01T00:00:00'), 0],
        [2, Buffer.alloc(16, 8), apple('2024-06-01T00:00:00'), 1],
      ],
    },
    user_domain_concept_properties: {
      columns: 'udc_id INTEGER, type INTEGER, string_value TEXT',
      rows: [
        [1, 1, 'Eltroxin 50'],
        [2, 1, 'Ibuprofen 400'],
      ],
    },
    medication_dose_event_samples: {
      columns:
        'data_id INTEGER PRIMARY KEY, medication_uuid BLOB, dose_quantity REAL, status INTEGER, scheduled_date REAL',
      rows: days
        .slice(0, 60)
        .map((day) => [
          90_000 + day,
          Buffer.alloc(16, day % 9 === 8 ? 8 : 9),
          1,
          day % 7 === 6 ? 5 : 4,
          apple(new Date(Date.UTC(2025, 0, 2, 7) + day * 86_400_000).toISOString().slice(0, 19)),
        ]),
    },
  });
}
