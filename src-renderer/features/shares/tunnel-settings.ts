import { TUNNEL_KINDS, type TunnelKind } from '../../../src-shared/contract/setting-keys.ts';
import type { SettingsPatch, SettingsView } from '../../../src-shared/contract/settings.ts';

/** The settings of each way to the service for recipients, in the order of its form. */
const TUNNEL_FIELDS = {
  fixed: ['share_public_base_url'],
  cloudflared: [],
  ssh: [
    'share_ssh_host',
    'share_ssh_port',
    'share_ssh_user',
    'share_ssh_key_file',
    'share_ssh_known_hosts',
    'share_ssh_remote_port',
    'share_ssh_remote_address',
    'share_public_base_url',
  ],
  command: ['share_tunnel_command', 'share_tunnel_pattern'],
} as const satisfies Record<TunnelKind, readonly (keyof SettingsView)[]>;
export type TunnelField = (typeof TUNNEL_FIELDS)[TunnelKind][number];

export const fieldsOf = (kind: TunnelKind): readonly TunnelField[] => TUNNEL_FIELDS[kind];

/** What the form holds: texts, also of numbers. */
export type TunnelDraft = { kind: TunnelKind } & Record<TunnelField, string>;

const ALL_FIELDS: TunnelField[] = [...new Set(TUNNEL_KINDS.flatMap(fieldsOf))];
const NUMBERS: ReadonlySet<TunnelField> = new Set(['share_ssh_port', 'share_ssh_remote_port']);
export const isNumberField = (field: TunnelField): boolean => NUMBERS.has(field);

export const draftOf = (view: SettingsView): TunnelDraft =>
  ({
    kind: view.share_tunnel,
    ...Object.fromEntries(ALL_FIELDS.map((field) => [field, String(view[field])])),
  }) as TunnelDraft;

/** The changed settings of the chosen way; those of the others stay as they are. */
export function patchOf(view: SettingsView, draft: TunnelDraft): SettingsPatch {
  const changed = fieldsOf(draft.kind).filter((field) => draft[field].trim() !== String(view[field]));
  const valueOf = (field: TunnelField): string | number => {
    const text = draft[field].trim();
    return isNumberField(field) && /^\d+$/.test(text) ? Number(text) : text;
  };
  return {
    ...(draft.kind !== view.share_tunnel && { share_tunnel: draft.kind }),
    ...Object.fromEntries(changed.map((field) => [field, valueOf(field)])),
  };
}

/** The setting that a tunnel names in `tunnel.invalid_setting`. */
export const SETTING_OF_FIELD: Readonly<Record<string, TunnelField>> = {
  publicUrl: 'share_public_base_url',
  host: 'share_ssh_host',
  port: 'share_ssh_port',
  user: 'share_ssh_user',
  keyFile: 'share_ssh_key_file',
  knownHostsFile: 'share_ssh_known_hosts',
  remotePort: 'share_ssh_remote_port',
  remoteAddress: 'share_ssh_remote_address',
  command: 'share_tunnel_command',
  pattern: 'share_tunnel_pattern',
};
