import { expect, it } from 'vitest';
import { fullName, parsePersonName } from './person-name.ts';

it.each([
  ['Keller, Elena', 'Elena Keller'],
  ['KELLER Elena', 'Elena Keller'],
  ['Frau Elena Keller', 'Elena Keller'],
  ['Elena von Arx', 'Elena von Arx'],
  ['DUBOIS-MARTIN Hélène', 'Hélène Dubois-Martin'],
  ['M. René Müller', 'René Müller'],
])('reads %s as %s', (printed, name) => {
  const parsed = parsePersonName(printed);
  expect(parsed && fullName(parsed)).toBe(name);
});

it.each(['Elena', 'Prélèvement du', '12.03.1961', 'Avenue de la', 'in der Praxis'])('rejects %s', (printed) =>
  expect(parsePersonName(printed)).toBeNull(),
);
