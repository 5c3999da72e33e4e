import { Link } from '@tanstack/react-router';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { TUNNEL_KINDS } from '../../../src-shared/contract/setting-keys.ts';
import type { SettingsView } from '../../../src-shared/contract/settings.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, TextArea, type FieldControl } from '../../ui/field.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../ui/states.tsx';
import type { ShareLabels } from './labels.ts';
import { useSaveTunnel, useTunnelSettings } from './queries.ts';
import { draftOf, fieldsOf, isNumberField, patchOf, type TunnelDraft, type TunnelField } from './tunnel-settings.ts';

interface Props {
  /** Whether the service is turned on. */
  isOn: boolean;
  labels: ShareLabels;
  onClose: () => void;
}

/** Chooses how recipients reach the service; for administrators. */
export function TunnelForm(props: Props) {
  const vocabulary = useVocabulary();
  const { data, error } = useTunnelSettings();
  if (error) return <ErrorState message={vocabulary.error(error)} />;
  if (!data) return <SkeletonLines count={4} label={props.labels.t('loading')} />;
  return <Form {...props} view={data} />;
}

function Form({ view, isOn, labels: { t }, onClose }: Props & { view: SettingsView }) {
  const vocabulary = useVocabulary();
  const heading = useId();
  const save = useSaveTunnel();
  const [draft, setDraft] = useState(() => draftOf(view));
  const fields = fieldsOf(draft.kind);
  const isFieldWrong = fields.some((field) => vocabulary.fieldError(save.error, field) !== undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ patch: patchOf(view, draft), isOn }, { onSuccess: onClose });
  };
  return (
    <form className="sh-tunnel" onSubmit={submit} noValidate aria-labelledby={heading}>
      <h3 id={heading}>{t('tunnel_choose')}</h3>
      <div className="panel" role="radiogroup" aria-labelledby={heading}>
        {TUNNEL_KINDS.map((kind) => (
          <label key={kind} className="choice">
            <input
              type="radio"
              name="tunnel"
              autoFocus={draft.kind === kind}
              checked={draft.kind === kind}
              onChange={() => setDraft({ ...draft, kind })}
            />
            <span className="strong">{t(`tunnel_${kind}`)}</span>
            <span className="cap">{t(`tunnel_${kind}_text`)}</span>
          </label>
        ))}
      </div>
      {fields.length > 0 && (
        <div className="sh-tunnel-fields">
          {fields.map((field) => (
            <TunnelInput
              key={field}
              field={field}
              draft={draft}
              error={vocabulary.fieldError(save.error, field)}
              onChange={(value) => setDraft({ ...draft, [field]: value })}
            />
          ))}
        </div>
      )}
      {save.error && !isFieldWrong && <Notice tone="bad">{vocabulary.error(save.error)}</Notice>}
      <div className="row sh-tunnel-foot">
        <Button type="submit" variant="primary" disabled={save.isPending}>
          {isOn ? t('tunnel_save_open') : t('tunnel_save')}
        </Button>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Link to="/settings/sharing" className="push sh-change">
          {t('tunnel_more')}
        </Link>
      </div>
    </form>
  );
}

function TunnelInput({
  field,
  draft,
  error,
  onChange,
}: {
  field: TunnelField;
  draft: TunnelDraft;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation('settings');
  const { t: tShares } = useTranslation('shares');
  const isInFront = field === 'share_public_base_url' && draft.kind === 'ssh';
  const attributes = {
    value: draft[field],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  const control = (connection: FieldControl) =>
    field === 'share_tunnel_command' ? (
      <TextArea
        {...connection}
        {...attributes}
        rows={3}
        className="mono"
        placeholder="ngrok http {port} --log stdout"
      />
    ) : (
      <Input
        {...connection}
        {...attributes}
        type="text"
        inputMode={isNumberField(field) ? 'numeric' : undefined}
        className={isNumberField(field) ? 'num' : undefined}
      />
    );
  return (
    <Field label={t(`field_${field}`)} hint={isInFront ? tShares('tunnel_front') : t(`hint_${field}`)} error={error}>
      {control}
    </Field>
  );
}
