import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../../../src-shared/contract/audit.ts';
import type { settingsEn } from '../messages.en.ts';

/** Words for what the audit log keeps as codes; a code without words is shown as plain text. */
export function useAuditWords() {
  const { t, i18n } = useTranslation('settings');
  const action = (code: string): string => {
    const key = `did_${code.replaceAll('.', '_')}` as keyof typeof settingsEn;
    return i18n.exists(key, { ns: 'settings' }) ? String(t(key)) : code.replace(/[._]/g, ' ');
  };
  /** `document 17 · role viewer`. */
  const details = ({ resource_type, resource_id, details: more }: AuditEntry): string => {
    const what = resource_id === null ? [] : [`${resource_type ?? ''} ${resource_id.length > 24 ? `${resource_id.slice(0, 8)}…` : resource_id}`.trim()];
    const rest = Object.entries(more ?? {}).map(([name, value]) => `${name.replaceAll('_', ' ')} ${Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
    return [...what, ...rest].join(' · ');
  };
  return { action, details };
}
