import { expect, it } from 'vitest';
import { readWanted, type Wanted } from '../../../test/support/wanted-papers.ts';

/** Papers as houses of several countries print them, each with what it is about. */
const PAPERS: [Wanted, string][] = [
  [
    { type: 'specialist_report', doctor: 'Rachel Okafor, MD' },
    `Cedar Hollow Family Medicine
88 Mill St, Keene, NH 03431      (603) 555-0144
After Visit Summary
Patient: Paula Jensen      DOB: 04/02/1971
Visit date: 03/11/2026      Provider: Rachel Okafor, MD
Reason for visit: follow-up of blood pressure
Diagnoses this visit
Essential hypertension (I10)
Your medications
lisinopril 20 mg tablet, once daily
Results
Potassium   4.4   mmol/L   3.5-5.1
Creatinine   0.9   mg/dL   0.6-1.1
Next steps: check your blood pressure at home.`,
  ],
  [
    { type: 'prescription', doctor: 'Dr. Ken Whitlock' },
    `Prairie Spine Clinic
Dr. Ken Whitlock, FRCSC
12 Oak Ave, Regina SK
Name: Lena Fox
DOB: May 3, 1980
Date: January 9, 2026
naproxen 500 mg tablet
twice a day   Qty 60   Refills 1
pantoprazole 40 mg tablet
once daily   Qty 30   Refills 1`,
  ],
  [
    { type: 'medical_certificate', event: '2026-03-04' },
    `Kinder- und Jugendarztpraxis am Markt
Dr. med. Silke Brand, Marktplatz 3, 35037 Marburg
Schulattest
Der Schüler Jonas Weber, geboren am 11.09.2014, kann vom 04.03.2026 bis 18.03.2026
nicht am Sportunterricht teilnehmen.
Marburg, den 04.03.2026
Dr. med. Silke Brand`,
  ],
  [
    { type: 'vaccination', vac: ['Boostrix 2025-01-12', 'FSME-Immun 2025-01-12'] },
    `Gruppenpraxis Seefeld
Seefeldstrasse 10, 8008 Zürich
Impfausweis
Anna Keller, geb. 03.04.1980
Konsultation      Datum: 12.01.2025
Impfstoff       Hersteller      Charge
Boostrix        GSK             AC37B123
FSME-Immun      Pfizer          FW7714`,
  ],
  [
    { type: 'vaccination', vac: ['Hexyon 2025-03-26'] },
    `Centre de vaccination du Parc
Carnet de vaccination
Enfant: Léo Martin, né le 25/01/2025
Date      Vaccin      Lot
26/03/2025      Hexyon      R3F671V
12/04/2025      Priorix      reporté en raison de fièvre`,
  ],
  [
    { type: 'vaccination', vac: ['Fluad 2025-10-20'] },
    `Farmacia San Marco
Certificato di vaccinazione
Sig.ra Ida Neri, nata il 03/04/1950
Data      Vaccino      Lotto
20/10/2025      Fluad      401822A
20/10/2025      Shingrix      rimandata`,
  ],
  [
    { type: 'vaccination', vac: ['Prevnar 20 2025-09-09'] },
    `Lakeside Pharmacy
Immunization Record
Name: Joan Doe      Date of birth: 06/14/1952
Date      Vaccine      Lot
09/09/2025      Prevnar 20      GX4471
09/09/2025      Shingrix      postponed by patient`,
  ],
  [
    { diag: ['Otitis media acuta', 'Allergische Rhinitis'] },
    `HNO Praxis am Tor
Hauptstrasse 2, 79098 Freiburg
Diagnosen
Otitis media acuta
Allergische Rhinitis
Gesprächsinhalt
Die Patientin berichtet über Ohrenschmerzen seit drei Tagen und ein Druckgefühl im Ohr.`,
  ],
  [
    { diag: ['Gout', 'Hypertension'] },
    `Elm Hospital
Diagnoses
Gout
Hypertension
Dear Dr Lowe
Thank you for referring this pleasant man who has had three attacks of pain this year.`,
  ],
  [
    { diag: ['Asthme', 'Rhinite allergique'] },
    `Clinique du Lac
Diagnostics
Asthme
Rhinite allergique
Résumé du passage
Patiente adressée par son médecin pour une dyspnée progressive depuis trois jours sans fièvre.`,
  ],
  [
    { diag: ['Ipertensione arteriosa', 'Gotta'] },
    `Ospedale di Circolo
Diagnosi
Ipertensione arteriosa
Gotta
Motivo del controllo
Il paziente giunge per controllo periodico dei valori pressori e riferisce buone condizioni generali.`,
  ],
  [
    { diag: ['Type 2 diabetes', 'Osteoporosis'] },
    `Foxglove Health Centre
Problem list
Type 2 diabetes
Osteoporosis
Current treatment
metformin 500 mg tablets, one twice daily with food as before`,
  ],
  [
    { type: 'lab_test', doctor: 'Dr. Eva Lang' },
    `Zentrallabor Voralpen
3300 Amstetten, Bahnhofstraße 2
Patient: Huber Karl, geb. 03.04.1961
Zuweisung: Dr. Eva Lang
Abnahme: 03.03.2026      Befund vom: 04.03.2026
Untersuchung      Ergebnis      Einheit      Referenz
Kreatinin      0,9      mg/dl      0,6-1,2
GOT      22      U/l      <50
Kalium      4,4      mmol/l      3,5-5,1
Befundfreigabe: Dr. Otto Maier`,
  ],
  [
    { type: 'lab_test', doctor: 'Dr Ruth Byrne' },
    `Shannon Laboratory Services
Unit 3, Ennis, Co. Clare
Dr Ruth Byrne, Bridge Street Surgery, Kilrush
Patient: Mary Walsh      D.O.B. 31 January 1961
Sample taken: 3 March 2026      Report date: 4 March 2026
Test      Result      Units      Reference range
Glucose      5.3      mmol/L      3.9-6.0
Urate      389      umol/L      200-430
TSH      1.7      mU/L      0.4-5.3
Reported by: Fiona Keane, Senior Medical Scientist`,
  ],
  [
    { type: 'lab_test', doctor: 'Dre Lise Favre' },
    `Laboratoire du Jorat
Rue du Bourg 4, 1510 Moudon
Dre Lise Favre
Médecine interne générale
1530 Payerne
Patient: Jean Rod, né le 02.09.1962
Prélèvement 17.03.2026      Rapport 18.03.2026
Analyse      Résultat      Unité      Référence
Hémoglobine      149      g/l      133-177
Leucocytes      7.2      G/l      4.0-10.0
ASAT      71      U/l      <40
Directeur: Dr sc Paul Rossier FAMH`,
  ],
  [
    { type: 'discharge', doctor: 'Dr. med. Nina Graf' },
    `Spital Thurtal
Medizinische Klinik
Austrittsbericht
Patient: Kurt Meier, 03.04.1950, hospitalisiert 02.03.2026 bis 09.03.2026
Diagnosen
Pneumonie
Verlauf
Komplikationsloser Verlauf unter antibiotischer Therapie, Entlassung in gutem Zustand nach Hause.
Prof. Dr. med. Rolf Zimmer, Chefarzt
Dr. med. Nina Graf, Assistenzärztin (Verfasserin)`,
  ],
  [
    { type: 'discharge', doctor: 'Dr. med. Tom Berg' },
    `Klinikum Westufer
Klinik für Innere Medizin      Chefarzt Prof. Dr. med. Eck Lohmann
Entlassungsbericht
wir berichten über Herrn Karl Stein, geb. am 03.04.1950, der vom 02.03.2026 bis 09.03.2026
in unserer stationären Behandlung war.
Diagnosen
Pneumonie
Mit freundlichen Grüßen
Prof. Dr. med. E. Lohmann      Dr. med. Tom Berg
Chefarzt      Assistenzarzt`,
  ],
  [
    { type: 'discharge', doctor: 'Dr Léa Pons' },
    `Centre hospitalier du Val
Service de cardiologie      Chef de service : Dr P. Lassalle
Lettre de liaison de sortie
Monsieur Paul Castain, né le 12/09/1964, a été hospitalisé du 03/03/2026 au 07/03/2026.
Diagnostics retenus
- Syndrome coronarien aigu
Évolution
Suites simples sous traitement médical avec une surveillance sans particularité notable.
Dr Léa Pons      Dr P. Lassalle
Interne      Chef de service`,
  ],
  [
    { type: 'imaging_report', event: '2026-02-17' },
    `Istituto Diagnostico Tevere
Via Roma 40, 00100 Roma
Sig.ra Rosa Tenni, nata il 30/04/1955
Data: 17/02/2026
ECOGRAFIA ADDOME
Descrizione: fegato nei limiti, colecisti alitiasica.
Quadro invariato rispetto a quello del 10/07/2024.
Dott. Carlo Vitelli`,
  ],
  [
    { type: 'imaging_report', event: '2026-02-20' },
    `Radiologie am Ring
Ring 21, 24143 Kiel
Frau Johanna Lieb, geb. 24.12.1983
MRT Knie links vom 20.02.2026
Befund: Kein Erguss. Im Vergleich zur
Untersuchung vom 14.05.2024 unverändert.
Dr. med. Kerstin Aul`,
  ],
  [
    { type: 'imaging_report', event: '2026-01-08' },
    `Harbour Imaging
Patient: Ann Lee   DOB 03/04/1960
CT Chest
Exam date: 08 Jan 2026
Comparison with CT of 12 March 2024: the nodule is unchanged.
Dr Sam Poole, Consultant Radiologist`,
  ],
  [
    { type: 'prescription', facility: 'Medicina di gruppo Valle' },
    `RICETTA
Cognome e nome: NERI IDA nata il 18/06/1949
Metforal 850 mg compresse      1-0-1      2
Data: 15/04/2026
Medico: Dott. Luca Bedini
Medicina di gruppo Valle, Corso Roma 70, 45100 Rovigo`,
  ],
  [
    { type: 'prescription', facility: 'Cabinet médical des Halles' },
    `Dr Maïté Laborde      Fait le 19/01/2026
Médecine générale
Cabinet médical des Halles
9 quai Roquebert, 64100 Bayonne
ORDONNANCE
Patient : Swann Etche, né le 05/01/1984
Doliprane 500 mg, 3 fois par jour`,
  ],
  [
    { type: 'discharge', facility: 'Marienstift Ahrtal' },
    `Marienstift Ahrtal
Frauenklinik · Chefarzt Dr. med. T. Weyand · 53474 Ahrweiler
Entlassungsbericht
Patientin      Eva Kern, geb. 24.12.1992
Stationär      28.02.2026 bis 02.03.2026
Diagnosen      Sekundäre Sectio
Dr. med. Henrike Ochs`,
  ],
  [
    { type: 'lab_test', facility: 'Labor Oberland' },
    `Gruppenpraxis für medizinische und chemische Labordiagnostik
Labor Oberland
4810 Gmunden, Esplanade 7
Laborbefund
Huber Rosa, geb. 03.04.1966
Abnahme: 27.03.2026
Kreatinin      0,9      mg/dl      0,6-1,2
Kalium      4,4      mmol/l      3,5-5,1`,
  ],
  [
    { type: 'prescription', event: '2026-02-03' },
    `Hausarztpraxis Dr. med. Ute Lenz
Hauptstr. 3, 50667 Köln
Aktueller Medikationsplan für Ida Stern, geb. am 03.04.1950
ausgedruckt am: 03.02.2026
Wirkstoff      Handelsname      Stärke      morgens mittags abends
Ramipril      Ramipril AL      5 mg      1      0      0
Metformin      Metformin Lich      1000 mg      1      0      1`,
  ],
];

it.each(PAPERS)('reads %j', (wanted, text) => expect(readWanted(wanted, text)).toEqual(wanted));
