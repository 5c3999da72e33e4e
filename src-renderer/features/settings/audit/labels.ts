import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../../../src-shared/contract/audit.ts';
import type { Messages } from '../../../locales/en.ts';
import { useMatrix } from '../people/queries.ts';

type Key = keyof Messages['settings'];
const MAX_ID_LENGTH = 24;
const shortened = (id: string): string => (id.length > MAX_ID_LENGTH ? `${id.slice(0, 8)}…` : id);

/** Labels for the codes and ids of the audit log. An id without a label is shown unchanged. */
export function useAuditLabels() {
  const { t, i18n } = useTranslation('settings');
  const { data } = useMatrix();
  const find = (key: string, namespace: keyof Messages = 'settings'): string | undefined =>
    i18n.exists(key, { ns: namespace }) ? String(t(key as Key, { ns: namespace, skipInterpolation: true })) : undefined;
  const user = (id: unknown): string | undefined =>
    data?.users.find((candidate) => String(candidate.id) === String(id))?.display_name;
  const patient = (id: unknown): string | undefined =>
    data?.patients.find((candidate) => String(candidate.id) === String(id))?.display_name;
  const field = (name: unknown): string => {
    const key = String(name);
    return find(`field_${key}`) ?? find(key) ?? find(`field.${key}`, 'app') ?? find(`field_${key}`, 'names') ?? key;
  };
  const list = (value: unknown): string => (Array.isArray(value) ? value.map(field).join(', ') : '');

  function nameOf(type: AuditEntry['resource_type'], id: string): string | undefined {
    if (type === 'access' || type === 'user' || type === 'login') return user(id);
    return type === 'patient' || type === 'assistant' ? patient(id) : undefined;
  }
  function resource({ resource_type: type, resource_id: id }: AuditEntry): string | undefined {
    if (id === null || type === null) return undefined;
    const ownerName = nameOf(type, id);
    if (ownerName !== undefined) return ownerName;
    const key = `resource_${type}`;
    return i18n.exists(key, { ns: 'settings' }) ? t(key as 'resource_document', { id: shortened(id) }) : shortened(id);
  }
  /** Labels of the details that an action recorded, by name. */
  const details: Readonly<Record<string, (value: unknown) => string | undefined>> = {
    patient_id: (value) => patient(value) ?? t('resource_patient', { id: String(value) }),
    idle: (value) => t('audit_idle', { count: Number(value) }),
    scheduled: () => t('audit_scheduled'),
    role: (value) => find(`role_${String(value)}`) ?? find(`grant_${String(value)}`),
    changed: list,
    fields: list,
    code: (value) => {
      const text = find(String(value), 'errors');
      // The log keeps the code without its parameters.
      return text === undefined || text.includes('{{') ? String(value) : text;
    },
    status: (value) => find(`status.${String(value)}`, 'app'),
    type: (value) => find(`type_${String(value)}`, 'names'),
    with: (value) => (value === 'oidc' ? t('oidc') : undefined),
    from: (value) => (value === 'phone' ? t('audit_from_phone') : undefined),
    program: String,
    documents: (value) => t('audit_documents', { count: Number(value) }),
    results: (value) => t('audit_results', { count: Number(value) }),
  };
  return {
    action: (code: string): string => find(`did_${code.replaceAll('.', '_')}`) ?? code,
    /** For example `Ben Keller · Elena Keller · Owner`. */
    details: (entry: AuditEntry): string =>
      [resource(entry), ...Object.entries(entry.details ?? {}).map(([name, value]) => details[name]?.(value))]
        .filter((part) => part !== undefined && part !== '')
        .join(' · '),
  };
}
