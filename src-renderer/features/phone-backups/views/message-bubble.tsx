import { Paperclip } from 'lucide-react';
import type { Attachment, MessageRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Checkbox } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ATTACHMENT_DOMAINS, eventText, reactionSign, type ConversationKind } from '../message-text.ts';
import { PreviewButton } from '../preview/preview-dialog.tsx';
import { Thumb } from '../preview/thumb.tsx';
import type { PhoneLabels } from '../labels.ts';
import './attachment.css';

/** One message with its attachments and the reactions to it. */
export function MessageBubble({
  message,
  kind,
  showSender,
  isRequested,
  isSelected,
  onToggle,
  labels,
}: {
  message: MessageRow;
  kind: ConversationKind;
  showSender: boolean;
  isRequested: boolean;
  isSelected: boolean;
  onToggle: () => void;
  labels: PhoneLabels;
}) {
  const { t } = labels;
  const who = message.is_from_me ? t('me') : (message.sender_name ?? message.sender ?? '');
  if (message.kind === 'event') return <div className="phone-event cap">{eventText(who, message, t)}</div>;
  return (
    <article
      className="phone-message"
      data-mine={message.is_from_me || undefined}
      data-wanted={isRequested || undefined}
      aria-label={`${who}, ${labels.day(message.sent_at)} ${labels.time(message.sent_at)}`}
    >
      <span className="phone-tick">
        <Checkbox label={t('choose_message')} hideLabel checked={isSelected} onChange={onToggle} />
      </span>
      <div className="phone-bubble">
        {showSender && !message.is_from_me && <strong className="phone-sender">{who}</strong>}
        {message.subject && <strong>{message.subject}</strong>}
        {message.attachments.map((file, index) => (
          <AttachmentView key={file.file_id ?? index} file={file} kind={kind} labels={labels} />
        ))}
        <MessageText message={message} labels={labels} />
        <Edits message={message} labels={labels} />
        <Reactions message={message} labels={labels} />
      </div>
      <time className="cap num" dateTime={message.sent_at ?? undefined} title={labels.exact(message.sent_at)}>
        {labels.time(message.sent_at)}
      </time>
    </article>
  );
}

interface PartProps {
  message: MessageRow;
  labels: PhoneLabels;
}

function MessageText({ message, labels }: PartProps) {
  if (message.is_unsent) return <em className="muted">{labels.t('unsent')}</em>;
  // U+FFFC marks an attachment in the text.
  const text = message.text?.replace(/\uFFFC/g, '') ?? '';
  return text.trim() === '' ? null : <p>{text}</p>;
}

/** Earlier versions of an edited message. */
function Edits({ message: { edits }, labels }: PartProps) {
  if (edits.length === 0) return null;
  return (
    <details className="cap">
      <summary>{labels.t('edited', { count: edits.length })}</summary>
      {edits.map((edit, index) => (
        <p key={index}>{labels.t('pdf_export.edited', { time: labels.time(edit.edited_at), text: edit.text ?? '' })}</p>
      ))}
    </details>
  );
}

function Reactions({ message: { reactions }, labels: { t } }: PartProps) {
  if (reactions.length === 0) return null;
  return (
    <span className="phone-reactions cap">
      {reactions.map((reaction, index) => {
        const who = reaction.is_from_me ? t('me') : (reaction.sender_name ?? reaction.sender ?? '');
        return (
          <span key={index} title={`${who}: ${t(`reaction.${reaction.kind}`)}`}>
            {reactionSign(reaction)}
          </span>
        );
      })}
    </span>
  );
}

function AttachmentView({ file, kind, labels }: { file: Attachment; kind: ConversationKind; labels: PhoneLabels }) {
  const { t, formats } = labels;
  const name = file.filename ?? file.relative_path?.split('/').at(-1) ?? t('attachment');
  if (file.file_id === null)
    return (
      <span className="phone-attachment cap">
        <Icon glyph={Paperclip} size={14} />
        {t('not_in_backup', { name })}
      </span>
    );
  const target = { fileId: file.file_id, name, path: file.relative_path ?? '', domain: ATTACHMENT_DOMAINS[kind] };
  const isImage = file.mime_type?.startsWith('image/') ?? /\.(jpe?g|png|gif|heic|webp)$/i.test(name);
  return (
    <PreviewButton target={target} className="phone-attachment">
      {isImage ? (
        <Thumb fileId={file.file_id} path={null} alt={name} size={220} />
      ) : (
        <>
          <Icon glyph={Paperclip} size={14} />
          <span className="truncate">{name}</span>
          {file.size_bytes !== null && <span className="cap num">{formats.bytes(file.size_bytes)}</span>}
        </>
      )}
    </PreviewButton>
  );
}
