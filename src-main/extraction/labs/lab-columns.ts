import { createPhraseFinder } from '../languages/phrases.ts';

export type LabColumn = 'test' | 'value' | 'unit' | 'range' | 'flag' | 'previous' | 'other';

/** Headings of laboratory tables. Data. */
const HEADINGS: Record<LabColumn, readonly string[]> = {
  test: ['test', 'tests', 'test name', 'analyte', 'investigation', 'examination', 'parameter', 'component', 'assay', 'determination', 'analysis', 'analyse', 'analysen', 'untersuchung', 'bestimmung', 'messgrösse', 'messgröße', 'bezeichnung', 'analyses', 'examen', 'examens', 'paramètre', 'paramètres', 'dosage', 'désignation', 'esame', 'esami', 'analisi', 'parametro', 'prova', 'determinazione', 'descrizione', 'laborparameter', 'laborwert', 'procedure'],
  value: ['in range', 'out of range', 'your value', 'result value', 'result', 'results', 'value', 'your result', 'measured', 'current result', 'observed value', 'ergebnis', 'resultat', 'resultate', 'wert', 'messwert', 'befund', 'ist wert', 'aktuell', 'aktueller wert', 'résultat', 'résultats', 'valeur', 'valeurs', 'risultato', 'risultati', 'valore', 'esito', 'current', 'ergebnisse'],
  unit: ['unit', 'units', 'einheit', 'einheiten', 'einh', 'dimension', 'unité', 'unités', 'unità', 'unita', 'u m', 'um', 'unità di misura', 'masseinheit', 'uom'],
  range: ['reference range', 'standard range', 'ref range units', 'range units', 'reference', 'reference interval', 'reference values', 'ref range', 'ref interval', 'ref', 'normal range', 'normal', 'normal values', 'expected', 'referenz', 'referenzbereich', 'referenzwert', 'referenzwerte', 'referenzintervall', 'normbereich', 'normwert', 'normwerte', 'norm', 'normal bereich', 'sollwert', 'soll', 'richtwert', 'zielbereich', 'valeurs de référence', 'valeur de référence', 'référence', 'références', 'intervalle de référence', 'valeurs usuelles', 'valeurs normales', 'norme', 'normes', 'limites', 'valori di riferimento', 'intervallo di riferimento', 'intervalli di riferimento', 'riferimento', 'valori normali', 'range', 'limits', 'biological reference interval', 'rif', 'v r', 'bezugsbereich', 'target'],
  flag: ['flag', 'flags', 'abnormal', 'abn', 'hinweis', 'markierung', 'bewertung', 'status', 'indicateur', 'alerte', 'anomalie', 'segnalazione', 'asterisco', 'note', 'interpretation', 'h l', 'beurteilung'],
  previous: ['previous', 'previous result', 'previous results', 'prior', 'prior result', 'last result', 'vorwert', 'vorwerte', 'vorbefund', 'vorheriger wert', 'letzter wert', 'vorresultat', 'antérieur', 'antériorité', 'antériorités', 'résultat précédent', 'résultat antérieur', 'précédent', 'valeur précédente', 'précédente', 'precedente', 'precedenti', 'risultato precedente', 'valore precedente', 'delta', 'trend', 'verlauf'],
  other: ['method', 'methode', 'méthode', 'metodo', 'comment', 'comments', 'kommentar', 'bemerkung', 'bemerkungen', 'commentaire', 'remarque', 'commento', 'code', 'loinc', 'material', 'specimen', 'sample', 'probe', 'probenmaterial', 'matériel', 'échantillon', 'campione', 'materiale', 'date', 'datum', 'data', 'time', 'zeit', 'taxpunkte', 'price', 'preis'],
};

export const findLabHeadings = createPhraseFinder(HEADINGS);
