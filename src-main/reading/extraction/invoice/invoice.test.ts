import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { buildLayout } from '../layout/layout.ts';
import { readInvoice } from './invoice.ts';

const read = (lines: readonly string[]) => {
  const { items, total, mismatch } = readInvoice(buildLayout([printedPage(lines)]));
  return {
    items: items.map((item) => [
      item.description,
      item.quantity,
      item.tariff_code,
      item.unit_price,
      item.amount,
      item.currency,
    ]),
    total: total?.value ?? null,
    mismatch,
  };
};

describe('readInvoice', () => {
  it('reads a German bill with codes and factors, and does not take dates for amounts', () => {
    expect(
      read([
        'Datum       Ziffer   Leistung                          Faktor   Betrag EUR',
        '12.03.2024  1        Beratung                          2,3      10,72',
        '12.03.2024  651      Elektrokardiogramm                1,8      26,54',
        '                     Rechnungsbetrag:                           37,26',
        'IBAN DE12 3456 7890 1234 5678 90',
      ]),
    ).toEqual({
      items: [
        ['Beratung', null, '1', null, 10.72, 'EUR'],
        ['Elektrokardiogramm', null, '651', null, 26.54, 'EUR'],
      ],
      total: { amount: 37.26, currency: 'EUR' },
      mismatch: null,
    });
  });

  it('reads a Swiss bill with tariff positions and points', () => {
    expect(
      read([
        'Datum     Tarif  Tarifziffer  Bezeichnung                  Anzahl   TP AL   f AL  TPW AL    Betrag',
        '12.03.24  001    00.0010      Konsultation, erste 5 Min.   1        9.57    1     0.89      17.76',
        '12.03.24  001    00.0020      Konsultation, jede weitere   2        9.57    1     0.89      35.52',
        '                              Gesamtbetrag                                         CHF 53.28',
      ]).items,
    ).toEqual([
      ['Konsultation, erste 5 Min', 1, '00.0010', null, 17.76, 'CHF'],
      ['Konsultation, jede weitere', 2, '00.0020', null, 35.52, 'CHF'],
    ]);
  });

  it('reads descriptions whose column has no heading', () => {
    expect(
      read([
        'Date          Tarif   Code tarif                                   Quantité   TP/Prix   Montant',
        '08.06.2016    001     00.0010      Consultation, premières min    1.00       18.45     18.45',
        '08.06.2016    001     00.0715      Prise de sang capillaire        1.00       9.67      9.67',
        'Montant total CHF 28.12',
      ]).items.map((item) => item[0]),
    ).toEqual(['Consultation, premières min', 'Prise de sang capillaire']);
  });

  it('reads an American statement with credits', () => {
    expect(
      read([
        'Date of Service   CPT     Description               Units   Charge',
        '03/12/2024        99213   Office visit              1       $145.00',
        '03/12/2024        93000   Electrocardiogram         1       $85.00',
        'Subtotal                                                    $230.00',
        'Insurance adjustment                                        -$60.00',
        'Amount due                                                  $170.00',
      ]),
    ).toEqual({
      items: [
        ['Office visit', 1, '99213', null, 145, 'USD'],
        ['Electrocardiogram', 1, '93000', null, 85, 'USD'],
      ],
      total: { amount: 170, currency: 'USD' },
      mismatch: null,
    });
  });

  it('reads the rows below a sum at the head of the document', () => {
    expect(
      read([
        'Prairie Creek      Amount due   $206.00',
        'Date of service   Code     Description        Amount',
        '01/22/2019        99214    Office visit       $289.00',
        '01/22/2019        36415    Venipuncture       $30.00',
        'Insurance payment: -$113.00',
        'Amount due: $206.00',
      ]),
    ).toMatchObject({
      items: [
        ['Office visit', null, '99214', null, 289, 'USD'],
        ['Venipuncture', null, '36415', null, 30, 'USD'],
      ],
      total: { amount: 206 },
      mismatch: null,
    });
  });

  it('adds taxes before it compares', () => {
    const found = read([
      'Désignation                   Qté     P.U.      Montant',
      'Consultation                  1       30,00 €   30,00 €',
      'Acte technique                2       25,50 €   51,00 €',
      'TVA 20 %                                        16,20 €',
      'Total TTC                                       97,20 €',
    ]);
    expect(found.items).toEqual([
      ['Consultation', 1, null, 30, 30, 'EUR'],
      ['Acte technique', 2, null, 25.5, 51, 'EUR'],
    ]);
    expect([found.total?.amount, found.mismatch]).toEqual([97.2, null]);
  });

  it('reads lines without headings', () => {
    expect(
      read([
        'Visita specialistica           150,00',
        'Ecografia addome               90,00',
        'Totale fattura           EUR   240,00',
      ]),
    ).toMatchObject({
      items: [
        ['Visita specialistica', null, null, null, 150, 'EUR'],
        ['Ecografia addome', null, null, null, 90, 'EUR'],
      ],
      total: { amount: 240 },
      mismatch: null,
    });
  });

  it('says when the lines do not add up', () => {
    expect(
      read([
        'Item             Qty   Fee     Amount GBP',
        'Wound dressing   1     40.00   40.00',
        'Report           1     60.00   60.00',
        'Total due: GBP 150.00',
      ]).mismatch,
    ).toEqual({ sum: 100, total: 150 });
  });

  it('reads the total of a payment slip without lines', () => {
    expect(
      read([
        "Rechnungsbetrag CHF 1'234.50",
        'Konto / Zahlbar an',
        'CH44 3199 9123 0008 8901 2',
        'Zahlbar bis 30.06.2024',
      ]),
    ).toEqual({ items: [], total: { amount: 1234.5, currency: 'CHF' }, mismatch: null });
  });
});
