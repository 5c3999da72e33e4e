import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, RotateCcw } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Prompt } from '../../../../src-shared/contract/prompts.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice } from '../../../ui/states.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { TextDiff } from './text-diff.tsx';

/** One prompt: its text, and what differs from the one it came with. */
export function PromptEditor({ prompt }: { prompt: Prompt }) {
  const { t } = useTranslation('settings');
  const words = useVocabulary();
  const formats = useFormats();
  const client = useQueryClient();
  const { show } = useToasts();
  const [text, setText] = useState(prompt.text);
  const params = { key: prompt.key };
  const put = (saved: Prompt): void =>
    void client.setQueryData<Prompt[]>(cacheKeys.prompts, (all) =>
      all?.map((other) => (other.key === saved.key ? saved : other)),
    );
  const back = () =>
    (prompt.is_custom
      ? call(contract.prompts.save, { params, body: { text: prompt.text } })
      : call(contract.prompts.reset, { params })
    ).then(put, (error: unknown) => show({ text: words.error(error), tone: 'bad' }));
  const save = useMutation({
    mutationFn: (next: string | null) =>
      next === null
        ? call(contract.prompts.reset, { params })
        : call(contract.prompts.save, { params, body: { text: next } }),
    onSuccess: (saved) => {
      put(saved);
      show({ text: t(saved.is_custom ? 'prompt_saved' : 'prompt_put_back'), undo: back });
    },
  });
  const isDirty = text.trim() !== prompt.text && text.trim() !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isDirty) save.mutate(text);
  };
  return (
    <Panel
      title={t(`prompt_${prompt.key}`)}
      aside={
        prompt.updated_at ? t('prompt_changed_at', { when: formats.moment(prompt.updated_at) }) : t('prompt_as_it_came')
      }
    >
      <form className="panel-body stack" onSubmit={submit}>
        <div className="row">
          <Link
            to="/settings/prompts"
            search={(search) => ({ ...search, key: undefined })}
            className={buttonClass({ variant: 'quiet', size: 'small' })}
          >
            <Icon glyph={ArrowLeft} />
            {t('prompts_all')}
          </Link>
          <span className="mono cap push">{prompt.key}</span>
        </div>
        {save.isError && <Notice tone="bad">{words.error(save.error)}</Notice>}
        <Field label={t('prompt_text')} hint={t('prompt_hint')}>
          {(control) => (
            <TextArea
              {...control}
              className="prompt-text mono"
              rows={18}
              maxLength={20_000}
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className="row">
          <Button type="submit" variant="primary" disabled={!isDirty || save.isPending}>
            {t('save')}
          </Button>
          {isDirty && <Button onClick={() => setText(prompt.text)}>{t('discard')}</Button>}
          {prompt.is_custom && (
            <Button className="push" glyph={RotateCcw} disabled={save.isPending} onClick={() => save.mutate(null)}>
              {t('prompt_reset')}
            </Button>
          )}
        </div>
        <TextDiff before={prompt.default_text} after={text.trim()} />
      </form>
    </Panel>
  );
}
