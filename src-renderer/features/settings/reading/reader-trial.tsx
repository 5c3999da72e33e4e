import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LlmRow } from '../../../../src-shared/contract/providers.ts';
import { MAX_TRIED_DOCUMENTS, type ReaderTrial } from '../../../../src-shared/contract/reader-trials.ts';
import type { PromptKey } from '../../../../src-shared/contract/prompts.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useTitles } from '../../../client/document-title.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, Field, Input, Select, TextArea } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice } from '../../../ui/states.tsx';
import { TrialResult } from './trial-result.tsx';
import { useProviders } from './provider-queries.ts';

const SHOWN_DOCUMENTS = 8;
/** Without effect on reading: see ADR 0120. */
const isOfReading = (key: string): boolean => key === 'classification' || key.startsWith('extraction_');

/** Lets a model read up to five documents, beside what is stored; nothing changes. */
export function ReaderTrialPanel() {
  const { t } = useTranslation('trial');
  const { data: providers = [] } = useProviders('llm');
  const [provider, setProvider] = useState('');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [prompts, setPrompts] = useState<Partial<Record<PromptKey, string>>>({});
  const first = (providers as LlmRow[]).map(({ id, name }) => ({ value: id, label: name }));
  const used = provider || (first[0]?.value ?? '');
  const { run, trials } = useTrials(used, prompts);
  return (
    <Panel title={t('title')}>
      <div className="panel-body stack settings-form">
        <p>{t('text')}</p>
        <Field label={t('reader')}>
          {(control) => (
            <Select {...control} value={used} options={first} onChange={(event) => setProvider(event.target.value)} />
          )}
        </Field>
        <DocumentChoice chosen={chosen} onChange={setChosen} />
        <PromptChoice prompts={prompts} onChange={setPrompts} />
        <div className="row">
          <Button
            variant="primary"
            disabled={chosen.length === 0 || used === '' || run.isPending}
            onClick={() => run.mutate(chosen)}
          >
            {run.isPending ? t('running', { done: trials.length, count: chosen.length }) : t('start')}
          </Button>
        </div>
        <TrialError error={run.error} />
      </div>
      <div role="status">
        {trials.map((trial) => (
          <TrialResult key={trial.document_id} trial={trial} />
        ))}
      </div>
    </Panel>
  );
}

function TrialError({ error }: { error: unknown }) {
  const vocabulary = useVocabulary();
  return error ? <Notice tone="bad">{vocabulary.error(error)}</Notice> : null;
}

/** One document after the other, so that each result is shown when it is there. */
function useTrials(provider_id: string, prompts: Partial<Record<PromptKey, string>>) {
  const [trials, setTrials] = useState<ReaderTrial[]>([]);
  const run = useMutation({
    mutationFn: async (ids: readonly number[]) => {
      setTrials([]);
      for (const id of ids) {
        const reply = await call(contract.readerTrials.tryReader, {
          body: { provider_id, document_ids: [id], prompts },
        });
        setTrials((before) => [...before, ...reply.trials]);
      }
    },
  });
  return { run, trials };
}

function DocumentChoice({
  chosen,
  onChange,
}: {
  chosen: readonly number[];
  onChange: (ids: readonly number[]) => void;
}) {
  const { t } = useTranslation('trial');
  const titles = useTitles();
  const formats = useFormats();
  const [search, setSearch] = useState('');
  const query = { limit: String(SHOWN_DOCUMENTS), ...(search.trim() !== '' && { q: search.trim() }) };
  const { data } = useQuery({
    queryKey: [...cacheKeys.documentLists, 'trial', search.trim()],
    queryFn: ({ signal }) => call(contract.documents.list, { query }, signal),
    placeholderData: (before) => before,
  });
  const isFull = chosen.length >= MAX_TRIED_DOCUMENTS;
  return (
    <fieldset className="stack">
      <legend>{t('documents', { count: chosen.length, most: MAX_TRIED_DOCUMENTS })}</legend>
      <Field label={t('search')}>
        {(control) => <Input {...control} value={search} onChange={(event) => setSearch(event.target.value)} />}
      </Field>
      {(data?.items ?? []).map((document) => (
        <Checkbox
          key={document.id}
          label={[titles.title(document), document.event_date && formats.date(document.event_date)]
            .filter(Boolean)
            .join(', ')}
          checked={chosen.includes(document.id)}
          disabled={isFull && !chosen.includes(document.id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, document.id] : chosen.filter((id) => id !== document.id))
          }
        />
      ))}
    </fieldset>
  );
}

/** Another text of one prompt, for this trial only. */
function PromptChoice({
  prompts,
  onChange,
}: {
  prompts: Partial<Record<PromptKey, string>>;
  onChange: (prompts: Partial<Record<PromptKey, string>>) => void;
}) {
  const { t } = useTranslation('trial');
  const { data = [] } = useQuery({
    queryKey: cacheKeys.prompts,
    queryFn: ({ signal }) => call(contract.prompts.list, {}, signal),
  });
  const keys = data
    .filter(({ key }) => isOfReading(key))
    .map(({ key, description }) => ({ value: key, label: description }));
  const [key] = Object.keys(prompts) as PromptKey[];
  return (
    <>
      <Field label={t('prompt')}>
        {(control) => (
          <Select
            {...control}
            value={key ?? ''}
            options={[{ value: '', label: t('prompt_none') }, ...keys]}
            onChange={({ target }) => {
              const prompt = data.find((one) => one.key === target.value);
              onChange(prompt ? { [prompt.key]: prompt.text } : {});
            }}
          />
        )}
      </Field>
      {key && (
        <Field label={t('prompt_text')}>
          {(control) => (
            <TextArea
              {...control}
              rows={8}
              maxLength={20_000}
              value={prompts[key]}
              onChange={({ target }) => onChange({ [key]: target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}
