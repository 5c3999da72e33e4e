import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabResult } from '../../../src-shared/contract/labs.ts';
import { unitText } from '../../../src-shared/medical/ucum-code.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';

/** Fields for a value other than the candidates, and its unit. */
export function ResultEntry({
  result,
  onEnter,
  onCancel,
}: {
  result: LabResult;
  onEnter: (value: { value_text: string; unit: string | null }) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation('review');
  const [value, setValue] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const [unit, setUnit] = useState(result.unit ?? unitText(result.unit_preferred ?? ''));
  return (
    <form
      className="review-entry"
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim() !== '') onEnter({ value_text: value.trim(), unit: unit.trim() || null });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <label>
        <span className="cap">{t('value')}</span>
        <Input
          className="num"
          value={value}
          maxLength={200}
          inputMode="text"
          ref={field}
          onChange={(event) => setValue(event.target.value)}
        />
      </label>
      <label>
        <span className="cap">{t('unit')}</span>
        <Input value={unit} maxLength={50} onChange={(event) => setUnit(event.target.value)} />
      </label>
      <Button type="submit" variant="primary" disabled={value.trim() === ''}>
        {t('save_value')}
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        {t('cancel')}
      </Button>
    </form>
  );
}
