import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import type { ShareEvent } from '../../../src-shared/contract/shares.ts';
import { csvText } from '../../client/csv.ts';
import type { ShareLabels } from './labels.ts';

/** The key of an action in the catalog, in which dots are levels. */
type Dotless<S extends string> = S extends `${infer A}.${infer B}` ? `${A}_${Dotless<B>}` : S;
const keyOf = <A extends ShareEvent['action']>(action: A): Dotless<A> => action.replaceAll('.', '_') as Dotless<A>;

/** Words for events of a share, with the titles of its documents as far as the user may see them. */
export function wordEvents(labels: ShareLabels, documents: readonly SharedDocument[]) {
  const { t, device } = labels;
  const titleOf = (id: number | null): string | null => {
    const document = documents.find((one) => one.id === id);
    return document ? labels.documentTitle(document) : null;
  };
  /** What happened, as a sentence. */
  const sentence = ({ action, document_id }: ShareEvent): string =>
    t(`did_${keyOf(action)}`, { document: titleOf(document_id) ?? t('a_document') });
  /** A number or a reason that belongs to the event. */
  const detail = ({ details }: ShareEvent): string => {
    const { documents: shared, document_ids: added, failures, reason, recipient } = details ?? {};
    if (typeof recipient === 'string') return recipient;
    if (typeof shared === 'number') return t('documents', { count: shared });
    if (Array.isArray(added)) return t('documents', { count: added.length });
    if (typeof failures === 'number') return t('wrong_codes', { count: failures });
    return reason === 'idle' || reason === 'time' || reason === 'new_code' ? t(`reason_${reason}`) : '';
  };
  return {
    sentence,
    /** What is shown at the end of a line: how often, a number or reason, or else the device. */
    fact: (event: ShareEvent, count: number): string => {
      if (count > 1) return t('times', { count });
      return detail(event) || (event.user_agent === null ? '' : device(event.user_agent));
    },
    /** All events, oldest first, in the language of the reader; spreadsheets recognize its letters by the mark. */
    csv: (events: readonly ShareEvent[]): string =>
      `\uFEFF${csvText([
        [t('csv_time'), t('csv_event'), t('csv_document'), t('csv_device'), t('csv_address'), t('csv_detail')],
        ...events
          .toReversed()
          .map((event) => [
            event.created_at.replace('T', ' '),
            sentence(event),
            titleOf(event.document_id),
            event.user_agent === null ? null : device(event.user_agent),
            event.client_ip,
            detail(event),
          ]),
      ])}`,
  };
}
