import { expect, it } from 'vitest';
import { readWanted, type Wanted } from '../../../../test/support/wanted-papers.ts';

/** Papers of several countries, each with its type. */
const PAPERS: [Wanted, string][] = [
  [
    { type: 'lab_test' },
    `Casa di Cura Villa Ponte
Curva da carico orale di glucosio (75 g)
Paziente: Giulia Rossi, nata il 28.01.1979
Gravidanza alla settimana 25
Prelievi del 14.10.2025
Glicemia basale 93 mg/dL`,
  ],
  [
    { type: 'imaging_report' },
    `Diagnosezentrum Muster
Patient          Herr Max Beispiel
Untersuchung     07.04.2025
Knieröntgen rechts in 2 Ebenen
Keine Fraktur. Gelenkspalt regelrecht. Kein Erguss.`,
  ],
  [
    { type: 'imaging_report' },
    `Radiologia Ponte
Studio associato, 61122 Pesaro
Cognome e nome     Data di nascita     Sesso     Data esame
Rossi Paolo        15/10/2011          M         19/01/2026
RX POLSO E MANO SINISTRA (2 PROIEZIONI)
Trauma da caduta. Frattura a legno verde del terzo distale del radio, in asse.
Si consiglia valutazione ortopedica.`,
  ],
  [
    { type: 'specialist_report' },
    `Praxis für Ergotherapie Muster
Kaufbeuren, 27.02.2026
Therapiebericht
Patientin               Gisela Beispiel, 08.06.1954, w
Behandlungszeitraum     14.01.2026 bis 25.02.2026
Diagnosen lt. Verordnung     Rhizarthrose rechts
Medikamente lt. Patientin    Amlodipin 5 mg 1-0-0
Ausgangsbefund: Kraft rechts 11 kg, Schmerz 6/10. Abschluss: 16 kg.
Empfehlung: Nachtschiene weiter, Folgeverordnung in 3 Monaten.`,
  ],
  [
    { type: 'lab_test' },
    `Centro Emostasi di Pianura
Sorveglianza terapia anticoagulante orale
Paziente: Mario Rossi, M, nato il 21.02.1943
Intervallo terapeutico INR: 2,0 - 3,0
Data           INR      Esito
02.03.2026     2,1      in range
16.03.2026     3,4      fuori range
Prossimo controllo: 20.04.2026.`,
  ],
  [
    { type: 'surgical_report' },
    `Handchirurgie am Markt
Patient          Gisela Beispiel          OP-Datum       26.11.2025
geb.             02.07.1959               Bericht vom    27.11.2025
Operateur        Dr. med. Cem Muster
Diagnose
Karpaltunnelsyndrom rechts (G56.0)
Eingriff
Offene Retinaculumspaltung rechts
OP-Verlauf
Blutsperre 250 mmHg. Hautschnitt, Spaltung des Retinaculum. Nerv eingeengt, kein Tumor.
Zählkontrolle vollständig. Dauer 14 Minuten.`,
  ],
  [
    { type: 'specialist_report' },
    `Institut für Pathologie Seeufer
Einsender: Dr. med. Georg Muster, Chirurgische Praxis
Patient: Albrecht Beispiel, geb. 26.09.1967
Entnahme: 10.11.2025     Ausgang: 13.11.2025
Makroskopie
Spindelförmiges Exzidat 22 x 11 x 6 mm, fadenmarkiert bei 12 Uhr.
Mikroskopie
Solide Verbände basaloider Zellen mit peripherer Palisadenstellung.
Resektionsränder allseits tumorfrei, geringster Abstand 2 mm.
Diagnose
Noduläres Basalzellkarzinom der linken Schläfe`,
  ],
  [
    { type: 'specialist_report' },
    `Policlinico del Mare
Ambulatorio di Gastroenterologia
Paziente           Rossi Maria
Data di nascita    09/06/1980
Data visita        14/01/2026
Diagnosi
Colite ulcerosa sinistra
Note
Celiachia esclusa con sierologia. Zio paterno con carcinoma del colon. Non fumatrice. Allergie: nichel.
Terapia consigliata
Farmaco                Posologia
Asacol 800 mg          2 compresse tre volte al dì
Topster 3 mg clisma    1 la sera
Programma
Se non risponde: vedolizumab. Colonscopia a giugno. Calprotectina tra 2 mesi.`,
  ],
  [
    { type: 'discharge' },
    `Slieve University Hospital
Discharge Prescription and Summary
Patient     Kathleen Example      Admitted       02/03/2026
DOB         17/01/1941            Discharged     09/03/2026
Diagnoses
Acute kidney injury on chronic kidney disease stage 3
Regular medications on discharge
Medication        Dose      Frequency
Aspirin           75 mg     OD
Rosuvastatin      10 mg     nocte`,
  ],
  [
    { type: 'specialist_report' },
    `Ordination Dr. Hanna Pichler
Fachärztin für Innere Medizin
Linzer Straße 4, 4020 Linz
Befundbericht
Frau Maria Gruber, geb. 04.02.1950      Linz, 12.03.2026
Diagnosen: Diabetes mellitus Typ 2, Hypertonie
Labor vom 10.03.2026
HbA1c   7,4   %   4,0-6,0
Kreatinin   0,9   mg/dl   0,5-1,1
GFR   78   ml/min   >60
Kalium   4,4   mmol/l   3,5-5,1
LDL   121   mg/dl   <100
Therapie: Metformin 1000 mg 1-0-1
Jardiance 10 mg 1-0-0
Dr. Hanna Pichler`,
  ],
  [
    { type: 'medical_certificate' },
    `Dr. med. Urs Hodel, FMH Allgemeine Innere Medizin
Dorfstrasse 5, 6210 Sursee
Turndispens
Lea Bucher, 03.05.2012, ist vom 02.02.2026 bis 16.02.2026 vom Turnunterricht dispensiert.
Sursee, 02.02.2026`,
  ],
  [
    { type: 'medical_certificate' },
    `Cabinet médical des Tilleuls
Dr Claire Monnier, Rue du Lac 2, 1800 Vevey
Dispense de sport
Je soussignée certifie que l'état de santé de Hugo Pasche, né le 03.04.2013,
contre-indique la pratique du sport du 02.03.2026 au 16.03.2026.
Vevey, le 2 mars 2026`,
  ],
  [
    { type: 'medical_certificate' },
    `Studio medico Dott.ssa Anna Ferri
Via Roma 3, 6900 Lugano
Esonero dalle lezioni di educazione fisica
Marco Bianchi, nato il 04.05.2012, è esonerato dall'educazione fisica dal 02.02.2026 al 16.02.2026.
Lugano, 02.02.2026`,
  ],
  [
    { type: 'medical_certificate' },
    `Ash Grove Surgery
4 Mill Lane, Ripon HG4 1AA
To whom it may concern
This is to certify that Ella Brown, born 3 May 2014, is excused from physical education
from 2 March 2026 until 16 March 2026.
Dr Tom Wright`,
  ],
  [
    { type: 'invoice' },
    `Praxis für Physiotherapie Lenz
Hauptstr. 5, 50667 Köln
Privatliquidation
Frau Ida Stern, geb. 03.04.1970
02.02.2026   Krankengymnastik   28,50 €
09.02.2026   Krankengymnastik   28,50 €
Gesamtbetrag   57,00 €`,
  ],
  [
    { type: 'invoice' },
    `Cabinet dentaire du Parc
12 rue Haute, L-1111 Luxembourg
Mémoire d'honoraires
Patient: Paul Weis, né le 03.04.1970
02/02/2026   Détartrage   62,40 €
Total   62,40 €`,
  ],
  [
    { type: 'specialist_report' },
    `Emergency Department
Lakeland General Hospital
ED Provider Note
Patient: Sam Hill   DOB: 05/04/1990
Date of visit: 02/03/2026
Chief complaint: ankle pain
Diagnosis: Ankle sprain
Ann Cole, MD`,
  ],
  [
    { type: 'imaging_report' },
    `Röntgeninstitut Süd
Dr. Karl Ernst, 8010 Graz
Herr Max Huber, geb. 03.04.1970
Befund
Mammographie beidseits vom 04.03.2026
Kein Malignitätsnachweis, BI-RADS 2.`,
  ],
  [
    { type: 'surgical_report' },
    `Spital Emmental
Operationsprotokoll
Patient: Kurt Meier, 03.04.1950
Operationsdatum: 04.03.2026
Operateur: Dr. med. Jan Roth
Eingriff: Laparoskopische Cholezystektomie`,
  ],
  [
    { type: 'surgical_report' },
    `Ospedale Civile
Verbale operatorio
Paziente: Rosa Neri, nata il 03.04.1950
Data intervento: 04.03.2026
Operatore: Dott. Ugo Verdi`,
  ],
  [
    { type: 'medical_certificate' },
    `Huisartsenpraktijk / Cabinet Dr Jean Peeters
Avenue Louise 4, 1050 Bruxelles
Certificat d'incapacité de travail
Je soussigné, docteur en médecine, certifie avoir examiné Anne Dubois
Incapacité du 02/03/2026 au 09/03/2026`,
  ],
  [
    { type: 'other' },
    `Klinik am See
Aufklärungsbogen Koloskopie
Liebe Patientin, lieber Patient, bitte lesen Sie diesen Bogen sorgfältig durch.`,
  ],
  [
    { type: 'specialist_report' },
    `Synevo Histologie
Pathologisch-anatomischer Befund
Patient: Kurt Meier, geb. 03.04.1950
Eingang: 02.03.2026   Ausgang: 04.03.2026
Material: Hautexzision Rücken
Diagnose: Basalzellkarzinom`,
  ],
  [
    { type: 'specialist_report' },
    `Opticians Hall & Co
Sight test report
Patient: Ann Lee   DOB 03/04/1960
Date of test: 3 March 2026
Right eye 6/6, left eye 6/9. Early cataract in both eyes, review in twelve months advised.`,
  ],
  [
    { type: 'other' },
    `Physiotherapie am Wall
Terminbestätigung
Ihr Termin: 04.03.2026 um 10:00 Uhr`,
  ],
  [
    { type: 'discharge' },
    `St. Mary's Community Hospital
Patient Discharge Instructions
Patient: Ann Lee   DOB 03/04/1960
Admitted: 03/02/2026   Discharged: 03/05/2026
Diagnosis: Pneumonia`,
  ],
  [
    { type: 'specialist_report', event: '2025-09-18', doctor: 'Dr Helen Marchbank' },
    `Northfield General Hospital
Department of Respiratory Medicine
Clinic date: 18/09/2025     Typed: 24/09/2025
Dear Dr Patel
Re: Mr Peter Hallam, DOB 02/03/1951
I would be grateful if you could discuss smoking with him again.
I reviewed this pleasant man in clinic today. His breathlessness is stable.
Yours sincerely
Dr Helen Marchbank`,
  ],
  [
    { type: 'other' },
    `The Elms Surgery
12 May 2025
Dear Colleague
Mr Peter Hallam, DOB 02/03/1951
I saw this man in clinic today with worsening breathlessness.
I would be grateful if you could see him.
Dr S Patel`,
  ],
  [
    { type: 'medical_certificate' },
    `Dott.ssa Elena Sala
Medico Chirurgo
Bergamo, 11/02/2025
Si certifica che il sig. Marco Riva, nato il 02/02/1990, necessita di cinque giorni di riposo e cure.`,
  ],
  [
    { type: 'specialist_report' },
    `Bridgewater Hospital
Fracture Clinic
Seen: 08/07/2025
Joan Pritchard  DOB 19/10/1946
Diagnosis: Right distal radius fracture
Plan: Cast off today. Physiotherapy referral. Discharge to GP.
She has made good progress. Please arrange a bone scan and discuss bone protection with her.
Mr David Lyle`,
  ],
  [
    { type: 'other' },
    `Krankenkasse Helvita
Zürich, 15. August 2025
Leistungsabrechnung
Behandlung vom 02.06.2025  Dr. med. A. Koller   CHF 185.40
Total   CHF 185.40`,
  ],
];

it.each(PAPERS)('reads %j', (wanted, text) => expect(readWanted(wanted, text)).toEqual(wanted));
