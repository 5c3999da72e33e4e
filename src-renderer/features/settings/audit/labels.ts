import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../../../src-shared/contract/audit.ts';
import type { Messages } from '../../../locales/en.ts';
import { useMatrix } from '../people/queries.ts';

type Key = keyof Messages['settings'];
const MAX_ID_LENGTH = 24;

/** Words for what the audit log keeps as codes and ids; what has no words is shown as plain text. */
export function useAuditLabels() {
  const { t, i18n } = useTranslation('settings');
  const { data } = useMatrix();
  const word = (key: string): string | undefined =>
    i18n.exists(key, { ns: 'settings' }) ? String(t(key as Key)) : undefined;
  const user = (id: unknown): string | undefined =>
    data?.users.find((candidate) => String(candidate.id) === String(id))?.display_name;
  const patient = (id: unknown): string | undefined =>
    data?.patients.find((candidate) => String(candidate.id) === String(id))?.display_name;

  function nameOf(type: AuditEntry['resource_type'], id: string): string | undefined {
    if (type === 'access' || type === 'user' || type === 'login') return user(id);
    if (type === 'patient') return patient(id);
    return type === 'prompt' ? word(`prompt_${id}`) : undefined;
  }
  function resource({ resource_type: type, resource_id: id }: AuditEntry): string | undefined {
    if (id === null) return undefined;
    return nameOf(type, id) ?? `${type ?? ''} ${id.length > MAX_ID_LENGTH ? `${id.slice(0, 8)}…` : id}`.trim();
  }
  function detail(name: string, value: unknown): string {
    if (name === 'patient_id') return patient(value) ?? `patient ${String(value)}`;
    if (name === 'scheduled') return word('audit_scheduled') ?? name;
    if (name === 'role') return word(`role_${String(value)}`) ?? word(`grant_${String(value)}`) ?? String(value);
    if (name === 'changed' && Array.isArray(value))
      return value
        .map((field) => word(`field_${String(field)}`) ?? word(String(field)) ?? String(field).replaceAll('_', ' '))
        .join(', ');
    return `${name.replaceAll('_', ' ')} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
  }
  return {
    action: (code: string): string => word(`did_${code.replaceAll('.', '_')}`) ?? code.replace(/[._]/g, ' '),
    /** `Ben Keller · Elena Keller · Owner`. */
    details: (entry: AuditEntry): string =>
      [resource(entry), ...Object.entries(entry.details ?? {}).map(([name, value]) => detail(name, value))]
        .filter((part) => part !== undefined)
        .join(' · '),
  };
}
