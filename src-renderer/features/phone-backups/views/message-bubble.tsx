import { Paperclip } from 'lucide-react';
import type { Attachment, MessageRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Checkbox } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ATTACHMENT_DOMAINS, eventText, reactionSign } from '../message-text.ts';
import { PreviewButton } from '../preview/preview-dialog.tsx';
import { Thumb } from '../preview/thumb.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';

/** One message with its attachments and the reactions to it. */
export function MessageBubble({
  message,
  kind,
  showSender,
  isWanted,
  isSelected,
  onChoose,
  source,
  labels,
}: {
  message: MessageRow;
  kind: 'messages' | 'whatsapp';
  showSender: boolean;
  isWanted: boolean;
  isSelected: boolean;
  onChoose: () => void;
  source: BackupSource;
  labels: PhoneLabels;
}) {
  const { t } = labels;
  const who = message.is_from_me ? t('me') : (message.sender_name ?? message.sender ?? '');
  if (message.kind === 'event') return <div className="phone-event cap">{eventText(who, message, t)}</div>;
  return (
    <article
      className="phone-message"
      data-mine={message.is_from_me || undefined}
      data-wanted={isWanted || undefined}
      aria-label={`${who}, ${labels.day(message.sent_at)} ${labels.time(message.sent_at)}`}
    >
      <span className="phone-tick">
        <Checkbox label={t('choose_message')} hideLabel checked={isSelected} onChange={onChoose} />
      </span>
      <div className="phone-bubble">
        {showSender && !message.is_from_me && <strong className="phone-sender">{who}</strong>}
        {message.subject && <strong>{message.subject}</strong>}
        {message.attachments.map((file, index) => (
          <AttachmentView key={file.file_id ?? index} file={file} kind={kind} source={source} labels={labels} />
        ))}
        {message.is_unsent ? (
          <em className="muted">{t('unsent')}</em>
        ) : (
          message.text !== null &&
          message.text.replace(/\uFFFC/g, '').trim() !== '' && <p>{message.text.replace(/\uFFFC/g, '')}</p>
        )}
        {message.edits.length > 0 && (
          <details className="cap">
            <summary>{t('edited', { count: message.edits.length })}</summary>
            {message.edits.map((edit, index) => (
              <p key={index}>
                {labels.time(edit.edited_at)} {edit.text}
              </p>
            ))}
          </details>
        )}
        {message.reactions.length > 0 && (
          <span className="phone-reactions cap">
            {message.reactions.map((reaction, index) => (
              <span
                key={index}
                title={`${reaction.is_from_me ? t('me') : (reaction.sender_name ?? reaction.sender ?? '')}: ${t(`reaction.${reaction.kind}`)}`}
              >
                {reactionSign(reaction)}
              </span>
            ))}
          </span>
        )}
      </div>
      <time className="cap num" dateTime={message.sent_at ?? undefined} title={labels.exact(message.sent_at)}>
        {labels.time(message.sent_at)}
      </time>
    </article>
  );
}

function AttachmentView({
  file,
  kind,
  source,
  labels,
}: {
  file: Attachment;
  kind: 'messages' | 'whatsapp';
  source: BackupSource;
  labels: PhoneLabels;
}) {
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
    <PreviewButton target={target} source={source} labels={labels} className="phone-attachment">
      {isImage ? (
        <Thumb source={source} fileId={file.file_id} path={null} alt={name} size={220} />
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
