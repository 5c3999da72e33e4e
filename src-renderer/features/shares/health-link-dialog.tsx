import { useState, type FormEvent } from 'react';
import { PASSCODE_LENGTH, type HealthLinkRow } from '../../../src-shared/contract/health-links.ts';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import type { Share } from '../../../src-shared/contract/shares.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/states.tsx';
import { DocumentChoice, LinkFields, periodUntil, type LinkDraft } from './health-link-fields.tsx';
import { HealthLinkResult } from './health-link-result.tsx';
import { useMakeHealthLink } from './health-link-queries.ts';
import type { ShareLabels } from './labels.ts';
import { suggestPasscode } from './passcode.ts';
import { useListener } from './queries.ts';

/** Makes a link for programs of others, and shows it: once, because only its holder has the key. */
export function HealthLinkDialog({
  share,
  documents,
  replaced,
  labels,
  onClose,
}: {
  share: Share;
  documents: readonly SharedDocument[];
  /** The link that ends with the new one; null for a further link. */
  replaced: HealthLinkRow | null;
  labels: ShareLabels;
  onClose: () => void;
}) {
  const { t } = labels;
  const make = useMakeHealthLink(share.share_id);
  const [draft, setDraft] = useState<LinkDraft>(() => firstDraft(share, documents, replaced, labels));
  const [isKept, setKept] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const isAtRisk = !isKept && !isFailed;
  const close = (): void => (isAtRisk && !isWarned ? setWarned(true) : onClose());
  if (!make.data)
    return (
      <Dialog open onOpenChange={onClose} title={t(replaced ? 'hl_renew_title' : 'hl_new_title')} wide>
        <LinkForm
          share={share}
          documents={documents}
          replaced={replaced}
          draft={draft}
          change={(part) => setDraft((before) => ({ ...before, ...part }))}
          make={make}
          labels={labels}
          onClose={onClose}
        />
      </Dialog>
    );
  return (
    <Dialog open onOpenChange={close} title={t('hl_ready_title')} wide>
      <HealthLinkResult
        share={share}
        link={make.data}
        passcode={draft.passcode.trim()}
        documents={documents}
        labels={labels}
        onKeep={() => setKept(true)}
        onFailure={() => setFailed(true)}
      />
      {isWarned && isAtRisk && <Notice tone="bad">{t('hl_not_kept')}</Notice>}
      <div className="dialog-actions" ref={isWarned ? showWhole : undefined}>
        {isFailed && (
          <Button
            onClick={() => {
              setFailed(false);
              make.reset();
            }}
          >
            {t('hl_change')}
          </Button>
        )}
        <Button onClick={close}>{isWarned && isAtRisk ? t('hl_close_anyway') : t('close')}</Button>
      </div>
    </Dialog>
  );
}

/** What is suggested: what the replaced link had, but for its passcode, which is not stored. */
function firstDraft(
  share: Share,
  documents: readonly SharedDocument[],
  replaced: HealthLinkRow | null,
  { t }: ShareLabels,
): LinkDraft {
  const all = documents.map(({ id }) => id);
  if (!replaced)
    return {
      documents: all,
      passcode: suggestPasscode(),
      hours: null,
      isOneTime: false,
      label: t('hl_label_default', { name: share.recipient_label }),
    };
  return {
    documents: all.filter((id) => replaced.document_ids.includes(id)),
    passcode: replaced.has_passcode ? suggestPasscode() : '',
    hours: replaced.expires_at < share.expires_at ? periodUntil(replaced.expires_at) : null,
    isOneTime: replaced.is_one_time,
    label: replaced.label,
  };
}

/** Scrolls to the warning above the buttons, which a small screen does not show. */
const showWhole = (buttons: HTMLElement | null): void => buttons?.scrollIntoView({ block: 'nearest' });

const LOCAL = /^https?:\/\/(127\.|localhost|\[::1\])/;
/** Tunnels without an account get another address each time. */
const CHANGING = /^https:\/\/[^/]+\.trycloudflare\.com$/;

/** The address is a part of the link, so it must lead here before the link is made, and stay. */
function AddressWarning({ labels: { t } }: { labels: ShareLabels }) {
  const address = useListener().data?.public_url ?? '';
  if (LOCAL.test(address)) return <Notice tone="warn">{t('hl_local')}</Notice>;
  return CHANGING.test(address) ? <Notice tone="warn">{t('hl_changing')}</Notice> : null;
}

function LinkForm({
  share,
  documents,
  replaced,
  draft,
  change,
  make,
  labels,
  onClose,
}: {
  share: Share;
  documents: readonly SharedDocument[];
  replaced: HealthLinkRow | null;
  draft: LinkDraft;
  change: (part: Partial<LinkDraft>) => void;
  make: ReturnType<typeof useMakeHealthLink>;
  labels: ShareLabels;
  onClose: () => void;
}) {
  const { t } = labels;
  const vocabulary = useVocabulary();
  const [isChecked, setChecked] = useState(false);
  const passcode = draft.passcode.trim();
  const isTooShort = passcode !== '' && passcode.length < PASSCODE_LENGTH.min;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (isTooShort || draft.documents.length === 0) return;
    make.mutate({
      document_ids: [...draft.documents],
      passcode: passcode || null,
      expires_in_hours: draft.hours,
      is_one_time: draft.isOneTime,
      label: draft.label.trim(),
      replaces: replaced?.link_id ?? null,
    });
  };
  return (
    <form className="hl-form" noValidate onSubmit={submit}>
      <p className="muted">{t(replaced ? 'hl_renew_text' : 'hl_text')}</p>
      <AddressWarning labels={labels} />
      <LinkFields share={share} draft={draft} change={change} isTooShort={isChecked && isTooShort} labels={labels} />
      <DocumentChoice
        documents={documents}
        chosen={draft.documents}
        isMissing={isChecked && draft.documents.length === 0}
        labels={labels}
        onChange={(chosen) => change({ documents: chosen })}
      />
      {make.error && <Notice tone="bad">{vocabulary.error(make.error)}</Notice>}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" disabled={make.isPending}>
          {t('hl_make')}
        </Button>
      </div>
    </form>
  );
}
