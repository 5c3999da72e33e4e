import { expect, it } from 'vitest';
import { readWanted, type Wanted } from '../../../../test/support/wanted-papers.ts';

/** Papers of several countries, each with what it is about. */
const PAPERS: [Wanted, string][] = [
  [
    { type: 'vaccination', facility: 'Gemeinschaftspraxis Musterring' },
    `Gemeinschaftspraxis Musterring
79098 Freiburg · Dr. med. Konrad Muster · Dr. med. Anne Beispiel
Impfnachweis (Ausdruck aus der Praxis-EDV)
Otti Beispiel, geb. 04.01.1950, weiblich     Ausdruck: 24.03.2026
Datum     Impfstoff     Art     Charge / verwendbar bis     Arzt
24.03.2026     FSME-Immun     3. Teilimpfung     FS26A014 / 2027     KR`,
  ],
  [
    { type: 'prescription', event: '2026-01-12' },
    `Einnahmeplan
Gemeinschaftspraxis Am Tor, 17489 Greifswald
für Waltraud Beispiel, geb. 31.03.1941 (w)     ausgestellt am 12.01.2026
Arzneimittel     früh     mittags     abends     nachts
Ramilich 5 mg     1     0     0     0
Nicht mehr nehmen: Torasemid. Dieser Plan ersetzt den Plan vom 06.10.2025.`,
  ],
  [
    { facility: 'Kinderpraxis Pilatus, Kriens', doctor: 'Dr. med. Tobias Amrein' },
    `09:12      praxis-app
Soforttests
Lia Schmidiger
05.02.2026, 16:45 — Kinderpraxis Pilatus, Kriens
Dr. med. Tobias Amrein
CRP     87 mg/l     <5
Leukozyten     14,6 G/l     4,0-10,0
Streptokokken A     positiv`,
  ],
  [
    { type: 'imaging_report', facility: 'Scanner de l’Aunis', doctor: 'Dr Irène Poitevin' },
    `Scanner de l’Aunis
17000 La Rochelle - Dr Irène Poitevin
M. Alphonse BRISSET, 04/05/1955
Examen réalisé le 02/02/2026
SCANNER THORACIQUE FAIBLE DOSE
Résultat : nodule du lobe supérieur droit de 5 mm, inchangé.
Conclusion : nodule stable.
Dr Irène POITEVIN, le 03/02/2026`,
  ],
  [
    { type: 'discharge', doctor: 'OÄ Dr. med. Mandy Fritzsche' },
    `Epikrise
Klinikum Vogtland
Renate Zschiegner, geb. 22.08.1947, w
Stationärer Aufenthalt 18.11.2025 – 27.11.2025
Diagnosen
Ischämischer Mediainfarkt rechts
Der Sohn (Dr. Uwe Zschiegner, geb. 1971) ist informiert.
OÄ Dr. med. Mandy Fritzsche`,
  ],
  [
    { type: 'vaccination', doctor: 'Eirlys Vaughan', facility: 'Pembroke Dock Pharmacy' },
    `Vaccination consultation record
Pembroke Dock Pharmacy - Pharmacist: Eirlys Vaughan
Patient: Hubert Scourfield
Date of birth: 30/09/1948
GP: Dr Owain Beynon, Argyle Street
Given today 08/10/2025:
Vaccine     Batch     Exp.     Arm
Fluad     Q8812A     05/2026     left`,
  ],
  [
    { type: 'specialist_report', doctor: 'Dr. med. Petra Voss', facility: 'Kardiologie am Stadtpark' },
    `Kardiologie am Stadtpark
Dr. med. Petra Voss
Stadtpark 4, 90409 Nürnberg
Herrn Dr. med. Jan Wolf, Hausarzt, Nürnberg
Nürnberg, 04.11.2025
Sehr geehrter Herr Kollege,
ich berichte über Frau Ida Stern, geb. 03.04.1950, die ich am 03.11.2025 untersucht habe.
Diagnosen
Arterielle Hypertonie
Beurteilung
Unter der laufenden Therapie gute Einstellung, keine weiteren Maßnahmen erforderlich zurzeit.
Mit freundlichen Grüßen
Dr. med. Petra Voss`,
  ],
  [
    { type: 'discharge', facility: 'Regionalspital Oberland', issued: '2025-11-09' },
    `Regionalspital Oberland
Medizinische Klinik
Frutigen, 09.11.2025
Austrittsbericht
Patient: Kurt Meier, geb. 03.04.1950
Eintritt: 02.11.2025      Austritt: 08.11.2025
Diagnosen
1. Pneumonie
Freundliche Grüsse
Dr. med. Anna Graf, Oberärztin`,
  ],
  [
    { type: 'lab_test', event: '2025-11-11', issued: '2025-11-12' },
    `KILDARE GENERAL HOSPITAL      DEPARTMENT OF PATHOLOGY
Patient      WALSH, MARY
DOB      18/12/1943
Specimen      11/11/2025 10:35
Received      11/11/2025 15:02
Authorised      12/11/2025 09:20
Sodium      131      mmol/L      (133-146)
Potassium      5.4      mmol/L      (3.5-5.3)
Urea      9.8      mmol/L      (2.8-7.8)`,
  ],
  [
    { type: 'lab_test', event: '2025-11-10' },
    `Laboratorio San Marco
Sig. Ugo Neri nato il 03/04/1950
Prelievo: 10/11/2025      Accettazione: 11/11/2025      Refertato: 12/11/2025
Esame      Risultato      Unità      Valori di riferimento
Glucosio      95      mg/dL      70-100
Creatinina      0,9      mg/dL      0,6-1,2
Sodio      140      mmol/L      136-145`,
  ],
  [
    { type: 'lab_test', event: '2025-11-10' },
    `Laboratoire des Alpes
Monsieur Paul Favre né le 03/04/1950
Prélevé le 10/11/2025      Reçu le 11/11/2025      Édité le 12/11/2025
Analyse      Résultat      Unité      Valeurs de référence
Glucose      5,1      mmol/L      3,9-6,1
Créatinine      80      µmol/L      62-106
Sodium      140      mmol/L      136-145`,
  ],
  [
    { type: 'prescription', doctor: 'Dr Marc Weis' },
    `Cabinet Dr Marc Weis
12 rue du Fort, L-2222 Luxembourg
Ordonnance médicale
Nom: Anne Muller      Matricule: 1970 0403 123
Amoxicilline 1 g comprimés 1-0-1 pendant 7 jours
Paracétamol 1 g comprimés si douleur`,
  ],
  [
    { type: 'prescription' },
    `Hausarztzentrum Lenz
Rp.
Ibuprofen 600 mg Filmtabletten N2
S: 3x1 bei Bedarf
Pantoprazol 20 mg Tabletten N1
S: 1-0-0
Ida Stern, geb. 03.04.1970
Köln, 03.11.2025`,
  ],
  [
    { type: 'imaging_report', doctor: 'Dr Hugh Lane' },
    `Royal Avon Hospital
Radiology Department
Clinical Director: Dr Paul Stone
Patient: Ann Lee   DOB: 03/04/1960
US Abdomen      Exam date: 08/11/2025
Referrer: Dr Tim Fox
Findings: The liver is normal in size and echotexture. No gallstones.
Reported by: Dr Hugh Lane, Consultant Radiologist`,
  ],
  [
    { type: 'medical_certificate' },
    `Dr. Otto Kern
Arzt für Allgemeinmedizin, 4600 Wels
Arbeitsunfähigkeitsmeldung
Name: Max Huber      geb. 03.04.1980
arbeitsunfähig ab 03.11.2025      letzter Tag: 07.11.2025`,
  ],
  [
    { type: 'medical_certificate' },
    `Great Lakes Pediatrics
100 Main St, Erie, PA 16501
Excuse Note
Sam Hill was seen in our office today, 11/03/2025.
Please excuse from school 11/03/2025 through 11/05/2025.
Ann Cole, MD`,
  ],
  [
    { type: 'specialist_report' },
    `Urgent Care of Erie
100 Main St, Erie, PA 16501
After-Visit Summary
Sam Hill      DOB 05/04/1990
Visit date: 11/03/2025
Diagnosis: Strep pharyngitis
Your medications: amoxicillin 500 mg capsule, twice daily for 10 days
Rapid strep test: positive`,
  ],
  [
    { type: 'invoice' },
    `Tarmed Rechnung
Praxis Dr. med. Urs Hodel, 6210 Sursee
Rechnung Nr. 4410      Rechnungsdatum 03.11.2025
Patient: Lea Bucher, 03.05.1980
01.11.2025   00.0010   Konsultation   18.20
Gesamtbetrag CHF   18.20`,
  ],
  [
    { type: 'vaccination', vac: ['Nimenrix 2025-09-03'] },
    `Ambulatorio vaccinale ULSS 8
Via Roma 1, 36100 Vicenza
Libretto delle vaccinazioni
Nome: Ida Neri      nata il 03/04/2012
03/09/2025      Nimenrix      lotto HK1234
10/10/2025      Gardasil 9      rifiutata dai genitori`,
  ],
  [
    { type: 'vaccination', vac: ['MenQuadfi 2025-09-03', 'Boostrix 2025-09-03'] },
    `Maple Leaf Pediatrics
Vaccine record
Patient: Sam Hill      DOB: 2012-04-03
Visit date: 2025-09-03
Vaccine         Lot
MenQuadfi       U8021AA
Boostrix        AC37B123`,
  ],
  [
    { diag: ['Gonarthrose rechts', 'Hypertonie'], doctor: 'Dr. med. Uwe Roth' },
    `Orthopädie Rheinbogen
Dr. med. Uwe Roth, Rheinweg 2, 56068 Koblenz
Arztbrief
Patient: Kurt Meier, geb. 03.04.1950
Diagnosen:
- Gonarthrose rechts
- Hypertonie
Zwischenbericht
Seit der letzten Infiltration deutlich weniger Schmerzen beim Gehen und beim Treppensteigen.
Dr. med. Uwe Roth`,
  ],
  [
    { diag: ['Migraine without aura', 'Asthma'], doctor: 'Dr Helen Price' },
    `Severn Neurology Centre
Clinic date: 04/11/2025
Consultant: Dr Helen Price
Dr J Marsh, Usk Surgery, Usk
Re: Ann Lee, DOB 03/04/1960
Diagnoses:
Migraine without aura
Asthma
Current medications:
Sumatriptan 50 mg as required
Dear Dr Marsh
I reviewed this lady in clinic today and her headaches have improved on the present treatment.
Yours sincerely
Dr Helen Price`,
  ],
  [
    { doctor: 'Dott.ssa Marta Fini', type: 'discharge' },
    `Ospedale San Luca
UOC Medicina Interna      Direttore: Prof. Aldo Conti
Lettera di dimissione
Paziente: Ugo Neri, nato il 03/04/1950
Ricovero dal 02/11/2025 al 08/11/2025
Diagnosi alla dimissione
Polmonite
Il medico di reparto      Il Direttore
Dott.ssa Marta Fini      Prof. Aldo Conti`,
  ],
  [
    { facility: 'Ash Tree Medical Practice' },
    `Ash Tree Medical Practice      Your record · Test results
Mrs Ann Lee      Born 30-Sep-1987
Requested by: Dr Imogen Tregear      Sample collected: 21-May-2025
Haemoglobin      108 g/L      [115 - 165]      Low
Platelet count      356 10*9/L      [150 - 450]`,
  ],
  [
    { facility: 'Hospital Santa Ana' },
    `Internal Medicine
Hospital Santa Ana
12 Oak Ave, El Paso, TX 79901
Discharge Summary
Patient: Sam Hill   DOB 05/04/1960
Admitted 11/02/2025   Discharged 11/05/2025`,
  ],
  [
    { facility: 'Hôpital du Jura bernois', type: 'specialist_report' },
    `Service de rhumatologie
Hôpital du Jura bernois
2610 Saint-Imier
Rapport de consultation
Madame Anne Rod, née le 03.04.1960
Consultation du 04.11.2025
Diagnostics
Polyarthrite rhumatoïde
Dr Paul Rossel, médecin adjoint`,
  ],
  [
    { doctor: 'Dr Paul Rossel', event: '2025-11-04' },
    `Centre médical du Bourg
Dr Paul Rossel, médecine interne
Rue du Bourg 4, 1003 Lausanne
Dr Jean Favre
Rue Haute 3
1530 Payerne
Lausanne, le 5 novembre 2025
Concerne : Madame Anne Rod, née le 3 avril 1960
Cher confrère,
J'ai vu en consultation le 4 novembre 2025 votre patiente pour son asthme bien contrôlé.
Avec mes salutations confraternelles
Dr Paul Rossel`,
  ],
  [
    { type: 'vaccination', issued: '2025-02-20' },
    `Gumtree Road Medical Centre      Statement date: 20 February 2025
15 Gumtree Road, Dubbo NSW 2830
Immunisation history statement
Ruby Thistle      Date of birth: 4 July 2023
Date given      Vaccine      Batch number
5 Sep 2023      Infanrix Hexa      A21CF601A
9 Jul 2024      Priorix      A69CE410`,
  ],
  [
    { type: 'lab_test', issued: '2025-03-06' },
    `Nephrologische Praxis Kelheim
Laborverlauf
Ehrlich, Wolfgang · geb. 23.05.1951
Parameter      04.12.2024      05.03.2025      Einheit      Referenz
Kreatinin      1,62      1,71      mg/dl      0,70-1,20
Harnstoff      68      74      mg/dl      17-48
Kalium      5,0      5,3      mmol/l      3,5-5,1
gedruckt am 06.03.2025 um 10:14 Uhr, Arbeitsplatz Anmeldung 2 links`,
  ],
];

it.each(PAPERS)('reads %j', (wanted, text) => expect(readWanted(wanted, text)).toEqual(wanted));
