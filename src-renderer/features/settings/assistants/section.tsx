import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AssistantPerson, AssistantProgram } from '../../../../src-shared/contract/assistants.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { copyText } from '../../../client/copy-text.ts';
import { useFormats } from '../../../client/format.ts';
import { useToasts } from '../../../client/toasts.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';

/** Whose records assistants on this computer may read, and how to connect one (Model Context Protocol). */
export default function AssistantsSection() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useQuery({
    queryKey: cacheKeys.assistants,
    queryFn: ({ signal }) => call(contract.assistants.get, {}, signal),
  });
  const isOn = data?.people.some(({ is_allowed }) => is_allowed) ?? false;
  return (
    <>
      <Panel title={t('assistants')}>
        <div className="panel-body stack settings-lead">
          <p>{t('assistants_text')}</p>
          <p>{t('assistants_meaning')}</p>
          {isOn && data?.nothing_leaves && <Notice tone="warn">{t('assistants_leave')}</Notice>}
        </div>
        {error && (
          <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
        )}
        {!data && !error && <SkeletonLines count={2} label={t('loading')} />}
        {data?.people.length === 0 && <EmptyState title={t('assistants_nobody')} />}
        {data && data.people.length > 0 && <People people={data.people} />}
      </Panel>
      {data && <ProgramPanel program={data.program} isOn={isOn} />}
    </>
  );
}

function People({ people }: { people: readonly AssistantPerson[] }) {
  const client = useQueryClient();
  const { show, showError } = useToasts();
  const change = useMutation({
    mutationFn: ({ patient_id, is_allowed }: AssistantPerson) =>
      call(is_allowed ? contract.assistants.revoke : contract.assistants.allow, { params: { id: String(patient_id) } }),
    onSuccess: ({ is_allowed, display_name: name }) =>
      show({
        text: ({ t }) =>
          is_allowed
            ? t('assistant_allowed', { ns: 'settings', name })
            : t('assistant_ended', { ns: 'settings', name }),
      }),
    onError: showError,
    // Also after a failure: another owner may have changed it.
    onSettled: () => client.invalidateQueries({ queryKey: cacheKeys.assistants }),
  });
  return (
    <ul className="lines assistant-rows">
      {people.map((person) => (
        <PersonLine
          key={person.patient_id}
          person={person}
          isBusy={change.isPending}
          onChange={() => change.mutate(person)}
        />
      ))}
    </ul>
  );
}

function PersonLine({
  person: { display_name: name, is_allowed, allowed_by: by, allowed_at: at, may_change },
  isBusy,
  onChange,
}: {
  person: AssistantPerson;
  isBusy: boolean;
  onChange: () => void;
}) {
  const { t } = useTranslation('settings');
  const { moment } = useFormats();
  const state = is_allowed && at !== null ? t('assistant_since', { by, when: moment(at) }) : t('assistant_off');
  return (
    <li className="assistant-row">
      <Checkbox label={name} checked={is_allowed} disabled={isBusy || !may_change} onChange={onChange} />
      <span className="muted">{may_change || is_allowed ? state : t('assistant_not_yours')}</span>
    </li>
  );
}

/** The entry for the configuration of an assistant, as most of them read it. */
const configurationOf = ({ command, args, env }: AssistantProgram): string =>
  JSON.stringify(
    { mcpServers: { hearth: { command, args, ...(Object.keys(env).length > 0 && { env }) } } },
    undefined,
    2,
  );

function ProgramPanel({ program, isOn }: { program: AssistantProgram | null; isOn: boolean }) {
  const { t } = useTranslation('settings');
  const { show } = useToasts();
  const text = program && configurationOf(program);
  const copy = async (): Promise<void> => {
    const hasCopied = text !== null && (await copyText(text));
    const key = hasCopied ? 'assistant_copied' : 'assistant_not_copied';
    show({ text: (words) => words.t(key, { ns: 'settings' }) });
  };
  return (
    <Panel
      title={t('assistant_connect')}
      actions={
        text !== null && (
          <Button size="small" glyph={Copy} className="push" onClick={() => void copy()}>
            {t('assistant_copy')}
          </Button>
        )
      }
    >
      <div className="panel-body stack settings-text">
        <p>{text === null ? t('assistant_elsewhere') : t('assistant_connect_text')}</p>
        {text !== null && (
          <pre className="settings-code mono" tabIndex={0} aria-label={t('assistant_configuration')} translate="no">
            {text}
          </pre>
        )}
        {text !== null && !isOn && <p className="muted">{t('assistant_first_allow')}</p>}
      </div>
    </Panel>
  );
}
