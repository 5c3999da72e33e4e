import { describe, expect, it } from 'vitest';
import { isSecret, SETTING_NAMES, SETTINGS } from '../../../src-shared/contract/setting-keys.ts';
import type { SettingsView } from '../../../src-shared/contract/settings.ts';
import { draftOf, kindOf, patchOf, rangeOf } from './setting-draft.ts';
import { backOf } from './queries.ts';

const view = {
  ...Object.fromEntries(SETTING_NAMES.filter((name) => !isSecret(name)).map((name) => [name, SETTINGS[name].fallback])),
  has_oidc_client_secret: true,
} as unknown as SettingsView;
const changed = (draft: Parameters<typeof patchOf>[1]) => patchOf(view, { ...draftOf(view, SETTING_NAMES), ...draft });

describe('the settings form', () => {
  it('sends nothing if nothing was edited', () => {
    expect(changed({})).toEqual({});
  });

  it('parses numbers with comma or point, lists, checkboxes and texts', () => {
    expect(
      changed({
        pipeline_poll_interval: '2,5',
        llm_retry_backoff_seconds: '10, 20;40',
        cloud_ocr_enabled: true,
        oidc_client_id: 'hearth',
      }),
    ).toEqual({
      pipeline_poll_interval: 2.5,
      llm_retry_backoff_seconds: [10, 20, 40],
      cloud_ocr_enabled: true,
      oidc_client_id: 'hearth',
    });
  });

  it('leaves invalid numbers to the server and empty secrets unchanged', () => {
    expect(changed({ pipeline_poll_interval: 'soon', oidc_client_secret: '' })).toEqual({
      pipeline_poll_interval: 'soon',
    });
    expect(changed({ oidc_client_secret: 'new' })).toEqual({ oidc_client_secret: 'new' });
  });

  it('never contains a stored secret', () => {
    expect(draftOf(view, ['oidc_client_secret'])).toEqual({ oidc_client_secret: '' });
    expect(kindOf('oidc_client_secret')).toBe('secret');
  });

  it('has the bounds of numeric settings', () => {
    expect(rangeOf('session_ttl_hours')).toEqual({ min: 1, max: 8760 });
    expect(rangeOf('llm_max_retries')).toEqual({ min: 0, max: 20 });
    expect(rangeOf('oidc_client_id')).toBeNull();
  });

  it('can be undone except for secrets', () => {
    expect(backOf(view, { pipeline_poll_interval: 9, oidc_client_secret: 'x' })).toEqual({ pipeline_poll_interval: 5 });
  });
});
