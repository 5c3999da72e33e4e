/** What a printed date can be. `letter` is the plain date of the document; `stay` a period of which nobody says more. */
export type DateRole =
  | 'birth' | 'collected' | 'received' | 'reported' | 'printed' | 'visit' | 'examination' | 'admission' | 'discharge' | 'stay'
  | 'operation' | 'letter' | 'invoice' | 'treatment' | 'prescription' | 'vaccination' | 'certificate' | 'incapacity'
  | 'due' | 'validity' | 'follow_up' | 'accident' | 'referral' | 'until';

/** Printed words that give a date its role, in English, German, French and Italian. Data. */
export const DATE_LABELS: Record<DateRole, readonly string[]> = {
  birth: [
    'date of birth', 'birth date', 'birthdate', 'born', 'born on', 'dob', 'd o b', 'patient dob',
    'geburtsdatum', 'geb', 'geb am', 'geb datum', 'geboren', 'geboren am', 'geburtstag', 'jahrgang', 'gebdat', 'gebdatum', 'geburtsdat',
    'date de naissance', 'naissance', 'né le', 'née le', 'né e le', 'né', 'née', 'ddn', 'date naiss',
    'data di nascita', 'nascita', 'nato il', 'nata il', 'nato a il', 'nato', 'nata', 'data nascita', 'd n',
  ],
  collected: [
    'collected', 'collected on', 'collection', 'collection date', 'date of collection', 'collection time', 'collection date time', 'specimen collected', 'sample collected',
    'date collected', 'sample date', 'sampling date', 'sampled', 'sampled on', 'date of sample', 'date of sampling', 'specimen date', 'drawn', 'drawn on', 'date drawn', 'draw date', 'blood drawn', 'taken', 'taken on', 'sample taken', 'specimen taken', 'date taken',
    'probenentnahme', 'probeentnahme', 'probenahme', 'probennahme', 'entnahme', 'entnahme*', 'entnommen', 'entnommen am', 'abnahme', 'abnahme*', 'blutentnahme', 'blutentnahme*', 'blutabnahme*', 'probe vom', 'probendatum', 'probenentnahme*', 'probenahme*', 'material vom', 'materialentnahme', 'materialentnahme*', 'entn datum', 'datum der probe',
    'prélèvement', 'prélevé', 'prélevé le', 'prélevée le', 'prélèvement du', 'prélèvement le', 'date de prélèvement', 'date du prélèvement', 'date prélèvement', 'date et heure de prélèvement', 'prélev', 'échantillon du', 'prise de sang du', 'date de la prise de sang',
    'prelievo', 'prelevato il', 'prelievo del', 'data prelievo', 'data del prelievo', 'data di prelievo', 'data e ora prelievo', 'data raccolta', 'raccolto il', 'campione del', 'campione prelevato',
  ],
  received: [
    'received', 'received on', 'date received', 'sample received', 'specimen received', 'receipt', 'registered', 'accession date',
    'eingang', 'eingang*', 'probeneingang', 'probeneingang*', 'eingegangen', 'eingegangen am', 'erhalten am', 'materialeingang', 'labor eingang', 'laboreingang',
    'reçu', 'reçu le', 'réception', 'date de réception', 'réceptionné le', 'enregistré le', 'date d enregistrement',
    'ricevuto', 'ricevuto il', 'ricezione', 'data ricezione', 'accettazione', 'data accettazione', 'accettato il', 'data di accettazione', 'arrivo', 'data arrivo',
  ],
  reported: [
    'reported', 'date completed', 'completed on', 'date authorised', 'date authorized', 'date validated', 'reported on', 'report date', 'date reported', 'date of report', 'reporting date', 'report issued', 'released', 'released on', 'result date', 'results date', 'validated', 'validated on', 'verified', 'authorised', 'authorized', 'finalised', 'finalized', 'final report', 'report of', 'issued', 'issued on', 'date issued', 'issue date', 'date of issue', 'completed', 'resulted', 'dictated', 'typed', 'date typed', 'signed on', 'signed', 'sign date', 'transcribed',
    'befunddatum', 'befund vom', 'befundausgang', 'ausgang', 'ausgang*', 'validiert', 'validiert am', 'freigegeben', 'freigegeben am', 'freigabe', 'freigabedatum', 'berichtsdatum', 'berichtdatum', 'bericht vom', 'ausgestellt am', 'ausgestellt', 'ausstellungsdatum', 'erstellt', 'erstellt am', 'erstelldatum', 'erstellungsdatum', 'ausgabe', 'ausgabedatum', 'endbefund', 'endbefund vom', 'befundet am', 'befundet', 'auswertung', 'resultat vom', 'resultatdatum', 'abgeschlossen', 'abgeschlossen am', 'visiert', 'visiert am', 'schreibdatum', 'diktat', 'diktiert', 'unterzeichnet am', 'signiert am',
    'validé', 'validé le', 'édité le', 'édité', 'édition', 'date d édition', 'date édition', 'rendu le', 'résultat du', 'date du résultat', 'date des résultats', 'date du rapport', 'rapport du', 'compte rendu du', 'date du compte rendu', 'rédigé le', 'établi le', 'délivré le', 'émis le', 'date d émission', 'date de validation', 'date du bilan', 'transmis le', 'dicté le', 'signé le', 'date de rédaction', 'libéré le',
    'refertato', 'refertato il', 'referto del', 'data referto', 'data del referto', 'data di refertazione', 'validato il', 'validazione', 'data validazione', 'emesso il', 'data emissione', 'data di emissione', 'rilasciato il', 'redatto il', 'data rapporto', 'data stesura', 'firmato il', 'data di rilascio', 'data di redazione', 'consegna', 'data risultato', 'data risultati',
  ],
  printed: [
    'printed', 'printed on', 'print date', 'date printed', 'gedruckt', 'gedruckt am', 'druckdatum', 'ausdruck', 'ausdruck vom', 'druck', 'imprimé le', 'imprimé', 'impression', 'date d impression',
    'stampato il', 'stampa', 'data stampa', 'data di stampa', 'version', 'fassung', 'stand', 'revision', 'rev', 'gültig ab', 'generated', 'generated on', 'downloaded',
  ],
  visit: [
    'date of visit', 'visit date', 'visit', 'visit of', 'visited', 'seen on', 'seen', 'was seen on', 'date seen', 'consultation', 'consultation date', 'date of consultation', 'consultation of', 'consultation on', 'clinic date', 'date of clinic', 'clinic on', 'appointment', 'appointment date', 'date of appointment', 'date of attendance', 'attendance', 'attended on', 'encounter', 'encounter date', 'date of encounter', 'evaluation date', 'date of evaluation', 'assessed on', 'reviewed on', 'date of review', 'attendance date', 'attended', 'clinic visit', 'outpatient visit',
    'konsultation', 'konsultation vom', 'konsultation am', 'konsultationsdatum', 'datum der konsultation', 'sprechstunde', 'sprechstunde vom', 'sprechstundendatum', 'besuch vom', 'besuch am', 'visite vom', 'vorstellung', 'vorstellung vom', 'vorstellung am', 'vorgestellt am', 'vorstellig', 'termin vom', 'ambulante vorstellung', 'ambulante konsultation', 'verlaufskontrolle vom', 'kontrolle vom', 'kontrolltermin vom', 'gesehen am', 'beurteilt am', 'konsil vom', 'abklärung vom', 'ambulante behandlung am', 'ambulante behandlung vom', 'besuchsdatum', 'kontakt vom', 'erstkonsultation', 'konsultiert', 'konsultierte uns am', 'vorstellungsdatum', 'arztbesuch',
    'date de consultation', 'date de la consultation', 'consultation du', 'consultation le', 'visite du', 'date de visite', 'date de la visite', 'vu le', 'vue le', 'vu e le', 'vu en consultation le', 'vue en consultation le', 'reçu en consultation', 'reçue en consultation', 'examiné le', 'examinée le', 'rendez vous du', 'contrôle du', 'date du rendez vous', 'entretien du', 'vu à ma consultation', 'vue à ma consultation', 'en consultation le',
    'visita', 'visita del', 'data visita', 'data della visita', 'data di visita', 'visitato il', 'visitata il', 'visto il', 'vista il', 'consulto del', 'consulenza del', 'data consulenza', 'consultazione del', 'data consultazione', 'data della consultazione', 'controllo del', 'data della prestazione', 'visita ambulatoriale', 'visita ambulatoriale del', 'valutato il', 'valutata il',
  ],
  examination: [
    'examination', 'examination date', 'date of examination', 'exam date', 'date of exam', 'examined on', 'study date', 'date of study', 'study', 'scan date', 'date of scan', 'imaging date', 'performed', 'performed on', 'date performed', 'procedure date', 'test date', 'date of test', 'acquired', 'acquisition date', 'acquisition', 'exam', 'scanned on', 'date of service', 'service date', 'dos', 'date of procedure',
    'untersuchung', 'untersuchung vom', 'untersuchung am', 'untersuchungsdatum', 'datum der untersuchung', 'untersucht am', 'aufnahmedatum bild', 'durchgeführt am', 'durchgeführt', 'durchführung', 'durchführungsdatum', 'untersuchungstag', 'untersuchungszeitpunkt', 'bildgebung vom', 'röntgen vom', 'mrt vom', 'mri vom', 'ct vom', 'sonographie vom', 'sonografie vom', 'ultraschall vom', 'untersuchungstermin', 'messung vom',
    'date d examen', 'date de l examen', 'examen du', 'examen le', 'examen réalisé le', 'examen effectué le', 'réalisé le', 'réalisée le', 'effectué le', 'effectuée le', 'irm du', 'scanner du', 'échographie du', 'radiographie du', 'date examen', 'date de réalisation', 'exploration du',
    'esame', 'esame del', 'data esame', 'data dell esame', 'data di esame', 'eseguito il', 'eseguita il', 'effettuato il', 'effettuata il', 'esame eseguito il', 'data di esecuzione', 'data esecuzione', 'indagine del', 'data indagine', 'rm del', 'tc del', 'ecografia del', 'radiografia del', 'data dell indagine',
  ],
  admission: [
    'admission', 'admission date', 'date of admission', 'admitted', 'admitted on', 'date admitted', 'hospitalised from', 'hospitalized from', 'admit date', 'inpatient from', 'was admitted on',
    'eintritt', 'eintritt am', 'eintrittsdatum', 'datum des eintritts', 'aufnahme', 'aufnahme am', 'aufnahmedatum', 'aufgenommen am', 'aufnahme vom', 'stationär seit', 'eingetreten am', 'eingewiesen am', 'hospitalisation vom', 'stationäre aufnahme', 'spitaleintritt', 'hospitalisiert vom', 'klinikaufnahme', 'aufnahmetag', 'stationär vom', 'stationär von', 'stationärer aufenthalt vom', 'stationäre behandlung vom', 'in stationärer behandlung vom', 'hospitalisationsdauer', 'hospitalisation von', 'zugang',
    'entrée', 'entrée le', 'date d entrée', 'date entrée', 'admis le', 'admise le', 'admis e le', 'admission le', 'admission du', 'date d admission', 'hospitalisé du', 'hospitalisée du', 'hospitalisé e du', 'hospitalisation du', 'séjour du', 'entré le', 'entrée du', 'hospitalisé le', 'hospitalisée le',
    'ricovero', 'data ricovero', 'data di ricovero', 'data del ricovero', 'ricoverato il', 'ricoverata il', 'ricoverato dal', 'ricoverata dal', 'ricovero dal', 'ricovero del', 'ingresso', 'data ingresso', 'data di ingresso', 'data d ingresso', 'degente dal', 'degenza dal', 'entrata', 'data di entrata', 'data entrata', 'data di ammissione', 'ammissione',
  ],
  discharge: [
    'discharge', 'discharge date', 'date of discharge', 'discharged', 'discharged on', 'date discharged', 'discharge on',
    'austritt', 'austritt am', 'austrittsdatum', 'entlassung', 'entlassung am', 'entlassungsdatum', 'entlassen am', 'entlassen', 'entlassdatum', 'ausgetreten am', 'datum des austritts', 'spitalaustritt', 'entlassungstag', 'abgang', 'entl',
    'sortie', 'sortie le', 'date de sortie', 'date sortie', 'sorti le', 'sortie du', 'retour à domicile le', 'quitté l hôpital le',
    'dimissione', 'data dimissione', 'data di dimissione', 'data della dimissione', 'dimesso il', 'dimessa il', 'dimissione del', 'dimissione il', 'uscita', 'data di uscita', 'data uscita',
  ],
  stay: [
    'stay', 'hospital stay', 'period of stay', 'length of stay', 'inpatient stay', 'hospitalisation', 'hospitalization', 'inpatient', 'in our care', 'admission discharge', 'admission and discharge', 'in hospital',
    'aufenthalt', 'aufenthalt vom', 'spitalaufenthalt', 'krankenhausaufenthalt', 'stationärer aufenthalt', 'stationäre behandlung', 'hospitalisation', 'hospitalisiert', 'aufenthaltsdauer', 'eintritt austritt', 'stationär', 'behandlung vom', 'klinikaufenthalt',
    'séjour', 'séjour hospitalier', 'durée du séjour', 'période d hospitalisation', 'hospitalisé', 'hospitalisée', 'entrée sortie', 'dates de séjour',
    'degenza', 'periodo di degenza', 'periodo di ricovero', 'soggiorno', 'ricoverato', 'ricoverata', 'durata della degenza',
  ],
  operation: [
    'operation date', 'date of operation', 'operation', 'operated', 'operated on', 'surgery date', 'date of surgery', 'surgery', 'surgery on', 'procedure on', 'date of procedure', 'procedure date', 'surgical date', 'day of surgery', 'operation on', 'date of the operation',
    'op datum', 'operationsdatum', 'op vom', 'op am', 'operation vom', 'operation am', 'operiert am', 'datum der operation', 'eingriff vom', 'eingriff am', 'eingriffsdatum', 'op tag', 'operationstag', 'datum des eingriffs', 'eingriff',
    'date d intervention', 'date de l intervention', 'intervention du', 'intervention le', 'opération du', 'date d opération', 'date de l opération', 'opéré le', 'opérée le', 'date opératoire', 'date intervention', 'intervention', 'date de l acte',
    'data intervento', 'data dell intervento', 'data di intervento', 'intervento del', 'operato il', 'operata il', 'data operazione', 'data dell operazione', 'operazione del', 'intervento', 'data della procedura', 'data procedura',
  ],
  letter: [
    'date', 'dated', 'letter date', 'date of letter', 'our letter of', 'document date', 'on', 'as of',
    'datum', 'den', 'datum des berichts', 'briefdatum', 'dokumentdatum', 'ort datum', 'datum unterschrift', 'ort und datum',
    'le', 'fait le', 'fait à', 'lieu et date', 'en date du', 'date du courrier', 'date de la lettre', 'date du document',
    'data', 'il', 'li', 'lì', 'luogo e data', 'in data', 'data documento', 'data lettera', 'data del documento',
  ],
  invoice: [
    'invoice date', 'date of invoice', 'bill date', 'billing date', 'statement date', 'date billed', 'tax point', 'invoice issued', 'invoice of', 'billed on',
    'rechnungsdatum', 'rechnungs datum nr', 'rechnung vom', 'datum der rechnung', 'rg datum', 'fakturadatum', 'rechnungs datum', 'faktura vom', 'rechnung nr datum', 'honorarnote vom', 'rechnungstag',
    'date de facture', 'date n de facture', 'date no de facture', 'date n facture', 'date de la facture', 'date facture', 'facture du', 'date de facturation', 'facturé le', 'note d honoraires du', 'facture établie le',
    'data fattura', 'data n fattura', 'data no fattura', 'data della fattura', 'fattura del', 'data di fatturazione', 'data fatturazione', 'parcella del', 'ricevuta del', 'data ricevuta',
  ],
  treatment: [
    'treatment date', 'date of treatment', 'treatment', 'treatment period', 'treatment on', 'treated on', 'service period', 'services rendered', 'date of service', 'dates of service', 'service date', 'services provided on', 'treatment dates', 'period of treatment', 'care provided on', 'for services on',
    'behandlung', 'behandlungsdatum', 'behandlung am', 'behandlungszeitraum', 'leistungszeitraum', 'leistungsdatum', 'behandlungsperiode', 'datum der behandlung', 'behandelt am', 'leistung vom', 'behandlungstag', 'leistungen vom', 'behandlungen vom', 'leistungserbringung', 'erbracht am', 'behandlungsdauer', 'behandlungsbeginn', 'zeitraum',
    'date de traitement', 'traitement', 'date du traitement', 'traitement du', 'date des soins', 'soins du', 'date de soins', 'période de traitement', 'période de soins', 'date de la prestation', 'date des prestations', 'prestations du', 'prestation du', 'période', 'date de prestation', 'soins effectués le',
    'data trattamento', 'trattamento', 'data del trattamento', 'trattamento del', 'data prestazione', 'data della prestazione', 'prestazione del', 'prestazioni del', 'periodo di cura', 'periodo di trattamento', 'data della cura', 'cure del', 'data prestazioni', 'periodo',
  ],
  prescription: [
    'prescription date', 'date of prescription', 'prescribed', 'prescribed on', 'date prescribed', 'rx date', 'prescription of', 'date written', 'prescription issued',
    'rezeptdatum', 'verordnungsdatum', 'rezept vom', 'verordnet am', 'verordnung vom', 'verschrieben am', 'datum der verordnung', 'rezept ausgestellt am', 'verschreibungsdatum',
    'date d ordonnance', 'date de l ordonnance', 'ordonnance du', 'prescrit le', 'prescription du', 'date de prescription', 'date de la prescription',
    'data ricetta', 'data della ricetta', 'ricetta del', 'prescritto il', 'data prescrizione', 'data della prescrizione', 'prescrizione del', 'data di prescrizione',
  ],
  vaccination: [
    'vaccination date', 'date of vaccination', 'vaccinated', 'vaccinated on', 'date administered', 'administered on', 'administered', 'immunised on', 'immunized on', 'date given', 'given on', 'immunization date', 'date of dose',
    'impfdatum', 'impfung vom', 'impfung am', 'geimpft am', 'datum der impfung', 'verabreicht am', 'verabreicht',
    'date de vaccination', 'date du vaccin', 'vaccination du', 'vacciné le', 'vaccinée le', 'administré le', 'date d administration', 'date d injection', 'vaccin du',
    'data vaccinazione', 'data di vaccinazione', 'data della vaccinazione', 'vaccinato il', 'vaccinata il', 'somministrato il', 'data somministrazione', 'data di somministrazione', 'vaccinazione del',
  ],
  certificate: [
    'certificate date', 'date of certificate', 'certified on', 'zeugnisdatum', 'zeugnis vom', 'attest vom', 'bescheinigung vom', 'bescheinigt am', 'festgestellt am', 'ausgestellt am', 'certificat du', 'date du certificat', 'attestation du', 'constaté le',
    'certificato del', 'data certificato', 'data del certificato', 'certificato il', 'attestato il',
  ],
  incapacity: [
    'unfit for work from', 'unfit from', 'incapacity from', 'unable to work from', 'off work from', 'incapacity for work', 'unfit for work', 'sick leave from', 'absent from', 'absence from', 'incapacitated from', 'off sick from', 'cannot work from', 'starting', 'effective', 'starting on', 'effective from', 'beginning', 'beginning on', 'as from', 'with effect from',
    'arbeitsunfähig vom', 'arbeitsunfähig seit', 'arbeitsunfähig ab', 'arbeitsunfähig von', 'arbeitsunfähigkeit', 'arbeitsunfähigkeit ab', 'arbeitsunfähigkeit vom', 'au seit', 'krankgeschrieben vom', 'krankgeschrieben ab', 'arbeitsunfähig', 'beginn', 'dispensiert vom', 'schulunfähig', 'krank seit', 'beginnend',
    'incapacité de travail du', 'incapacité du', 'arrêt de travail du', 'arrêt du', 'incapacité dès le', 'dès le', 'à partir du', 'à compter du', 'incapacité de travail', 'arrêt de travail', 'début', 'à dater du', 'incapable de travailler du',
    'inabilità lavorativa dal', 'inabile al lavoro dal', 'incapacità lavorativa dal', 'prognosi dal', 'a partire dal', 'a decorrere dal', 'inabilità al lavoro', 'incapacità al lavoro', 'incapacità lavorativa', 'inizio', 'malattia dal', 'assenza dal', 'a partire da', 'con decorrenza dal', 'decorrenza',
  ],
  due: [
    'due', 'due date', 'payment due', 'payable by', 'pay by', 'due by', 'due on', 'please pay by', 'payment by', 'zahlbar bis', 'fällig', 'fällig am', 'fälligkeit', 'fälligkeitsdatum', 'zahlungsfrist', 'zahlungsziel', 'zahlbar', 'zu zahlen bis', 'valuta',
    'échéance', 'date d échéance', 'payable jusqu au', 'à payer avant le', 'délai de paiement', 'payable avant le', 'à régler avant le', 'scadenza', 'data scadenza', 'data di scadenza', 'pagamento entro', 'da pagare entro', 'entro il', 'pagabile entro', 'pagare entro',
  ],
  validity: [
    'valid until', 'valid to', 'valid from', 'expires', 'expiry', 'expiry date', 'exp', 'expiration', 'expiration date', 'use by', 'best before', 'valid through', 'review date', 'renewal', 'gültig bis', 'verfall', 'verfalldatum', 'verwendbar bis', 'verw bis', 'haltbar bis', 'ablaufdatum', 'gültig ab', 'gültigkeit',
    'valable jusqu au', 'valable', 'valable dès le', 'péremption', 'date de péremption', 'expire le', 'date d expiration', 'à utiliser avant', 'validité', 'valido fino al', 'valida fino al', 'valido dal', 'validità', 'data validità',
  ],
  follow_up: [
    'next appointment', 'follow up on', 'follow up', 'follow up appointment', 'next visit', 'return on', 'review on', 'next review', 'next due', 'booster due', 'next dose', 'next dose due', 'next check', 'control on', 'next control', 'scheduled for', 'appointment on', 'repeat on', 'review appointment', 'to be seen again on', 'will be seen again on', 'next vaccination', 'recheck', 'return visit',
    'nächster termin', 'nächste kontrolle', 'kontrolltermin', 'kontrolle am', 'wiedervorstellung', 'wiedervorstellung am', 'nachkontrolle', 'nachkontrolle am', 'verlaufskontrolle am', 'nächste konsultation', 'termin am', 'nächste impfung', 'auffrischung', 'auffrischung am', 'nächste impfung fällig', 'folgetermin', 'termin', 'nachsorge', 'nächste untersuchung', 'kontrolle geplant', 'auffrischimpfung', 'wiedervorstellungstermin', 'nächste verlaufskontrolle',
    'prochain rendez vous', 'prochaine consultation', 'prochain contrôle', 'contrôle le', 'rendez vous le', 'prochaine visite', 'suivi le', 'revoir le', 'à revoir le', 'prochain rappel', 'rappel le', 'rendez vous de contrôle', 'contrôle prévu le', 'sera revu le', 'sera revue le', 'prochain vaccin', 'rendez vous', 'date de rappel',
    'prossimo appuntamento', 'prossimo controllo', 'prossima visita', 'controllo il', 'controllo previsto', 'appuntamento', 'appuntamento il', 'rivalutazione', 'rivalutazione il', 'prossimo richiamo', 'richiamo', 'visita di controllo', 'visita di controllo il', 'controllo programmato', 'prossima dose', 'follow up il',
  ],
  accident: ['accident', 'date of accident', 'accident date', 'date of injury', 'injury date', 'onset', 'unfall', 'unfalldatum', 'unfall vom', 'unfalltag', 'ereignisdatum', 'accident du', 'date de l accident', 'date d accident', 'infortunio', 'data infortunio', 'infortunio del', 'data dell infortunio', 'erstdiagnose', 'ed', 'diagnosed', 'since'],
  referral: [
    'order date', 'ordered', 'ordered on', 'date ordered', 'referral date', 'date of referral', 'referred on', 'request date', 'requested on', 'requested', 'your letter of', 'date of request', 'previous', 'comparison', 'compared with', 'compared to', 'prior', 'prior study', 'previous examination', 'in comparison with', 'comparison with', 'last',
    'auftragsdatum', 'auftrag vom', 'zuweisung vom', 'überweisung vom', 'überwiesen am', 'ihr schreiben vom', 'anforderung vom', 'auftragseingang', 'voruntersuchung', 'voruntersuchung vom', 'vergleich', 'verglichen mit', 'vergleich mit', 'zum vergleich', 'vorbefund', 'vorbefund vom', 'voraufnahme', 'voraufnahmen', 'im vergleich zu', 'im vergleich zur voruntersuchung vom', 'vorwert', 'vorwert vom', 'vorwerte', 'letzte', 'zuletzt',
    'date de la demande', 'demande du', 'demandé le', 'prescrit', 'votre courrier du', 'votre lettre du', 'date de demande', 'comparatif', 'comparaison', 'comparé', 'par rapport', 'antérieur', 'antérieure', 'examen antérieur', 'antériorité', 'antériorités', 'précédent', 'comparaison avec', 'précédente', 'dernier', 'dernière',
    'data richiesta', 'richiesta del', 'richiesto il', 'data della richiesta', 'confronto', 'confronto con', 'precedente', 'precedente del', 'esame precedente', 'a confronto con', 'rispetto', 'rispetto al', 'ultimo', 'ultima',
  ],
  until: ['to', 'until', 'through', 'till', 'up to and including', 'bis', 'bis am', 'bis und mit', 'bis zum', 'bis einschliesslich', 'voraussichtlich bis', 'au', 'jusqu au', 'jusqu au et y compris', 'al', 'fino al', 'sino al', 'ende', 'fin', 'fine', 'end'],
};
