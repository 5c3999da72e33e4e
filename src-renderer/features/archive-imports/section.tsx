import { FolderOpen } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FolderPicker } from '../../client/folder-picker.tsx';
import { usePatients } from '../../client/session.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { ImportPanel } from './import-panel.tsx';
import { useBegin, useImports } from './queries.ts';
import './imports.css';

/** Imports of existing archives: a form for a new one, and those that were made. */
export default function ImportsSection() {
  const { t } = useTranslation('archive_imports');
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useImports();
  return (
    <>
      <BeginPanel />
      {error && !data && (
        <Panel title={t('imports')}>
          <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
        </Panel>
      )}
      {!data && !error && (
        <Panel title={t('imports')}>
          <SkeletonLines count={3} label={t('loading')} />
        </Panel>
      )}
      {data?.items.length === 0 && (
        <Panel title={t('imports')}>
          <EmptyState title={t('none')}>{t('none_text')}</EmptyState>
        </Panel>
      )}
      {data?.items.map((one) => (
        <ImportPanel key={one.id} archive={one} />
      ))}
    </>
  );
}

/** Where an archive is, and into whose record it goes. */
function BeginPanel() {
  const { t } = useTranslation('archive_imports');
  const vocabulary = useVocabulary();
  const patients = usePatients().filter(({ role }) => role === 'owner');
  const begin = useBegin();
  const [path, setPath] = useState('');
  const [patient, setPatient] = useState('');
  const [isPicking, setPicking] = useState(false);
  const patientId = Number(patient || patients[0]?.id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (path.trim() !== '' && patientId > 0)
      begin.mutate({ path, patient_id: patientId }, { onSuccess: () => setPath('') });
  };
  return (
    <Panel title={t('begin')}>
      <form className="panel-body stack import-form" onSubmit={submit}>
        <p className="form-hint">{t('begin_text')}</p>
        <Field
          label={t('path')}
          hint={t('path_hint')}
          error={begin.isError ? vocabulary.error(begin.error) : undefined}
        >
          {(control) => (
            <span className="path-field">
              <Input
                {...control}
                className="mono"
                spellCheck={false}
                autoComplete="off"
                value={path}
                onChange={(event) => {
                  begin.reset();
                  setPath(event.target.value);
                }}
              />
              <Button glyph={FolderOpen} onClick={() => setPicking(true)}>
                {t('choose')}
              </Button>
            </span>
          )}
        </Field>
        <Field label={t('patient')}>
          {(control) => (
            <Select
              {...control}
              value={String(patientId)}
              options={patients.map(({ id, display_name }) => ({ value: String(id), label: display_name }))}
              onChange={(event) => setPatient(event.target.value)}
            />
          )}
        </Field>
        <div className="row">
          <Button type="submit" variant="primary" disabled={path.trim() === '' || begin.isPending || !(patientId > 0)}>
            {t('preview')}
          </Button>
        </div>
        {isPicking && (
          <FolderPicker
            title={t('picker_title')}
            start={undefined}
            onClose={() => setPicking(false)}
            onChoose={(folder) => {
              setPicking(false);
              begin.reset();
              setPath(folder);
            }}
          />
        )}
      </form>
    </Panel>
  );
}
