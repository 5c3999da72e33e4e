import type { Messages } from '../../locales/en.ts';
import type { PhoneLabels } from './labels.ts';

type Kind = keyof Messages['phone_backups']['labelled'];
type AppleLabel = keyof Messages['phone_backups']['contact_label'];

/** Returns the label of a number or address: Apple's own labels are translated, those of the user are unchanged. */
export const contactLabel = (t: PhoneLabels['t'], kind: Kind, label: string | null): string =>
  label === null ? t(`labelled.${kind}`) : t(`contact_label.${label as AppleLabel}`, { defaultValue: label });
