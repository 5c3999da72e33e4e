import { join } from 'node:path';
import { LANGUAGES } from '../../src-shared/contract/language-names.ts';
import type { Documents, SharesOfTranslations } from '../features/documents/service.ts';
import type { HealthLinks } from '../features/shares/health-link/links.ts';
import { createShareRepository } from '../features/shares/repository.ts';
import {
  createHealthLinks,
  createRecipients,
  createShares,
  type Shares,
  type Translator,
} from '../features/shares/service.ts';
import { openSplitDatabase } from '../platform/database/split-database.ts';
import { openSecretKey } from '../platform/config/secret-key.ts';
import type { Config } from '../platform/config/config.ts';
import { toTimestamp } from '../platform/kernel/clock.ts';
import { createWatermark } from '../reading/providers/watermark/watermark.ts';
import { canSendMail, codeMailer, type ReadMailSetting } from './compose-mail.ts';
import { bindRecipients, createShareServer, type RecipientHttpDeps } from './compose-recipients.ts';
import { pageLimits, type ReadingParts } from './compose-reading.ts';
import { DATABASE_FILE } from '../platform/vault/layout.ts';
import type { Platform } from './open-platform.ts';
import { createShareListener, type EmbeddedListener } from './share-listener.ts';
import { serveShareMode } from './share-translations.ts';
import { createShareTunnel } from './share-tunnel.ts';

/** Settings are saved into the configuration, so that each read is current. */
export const mailSettingsIn =
  (config: Config): ReadMailSetting =>
  (key) =>
    config[key];

export interface ShareParts {
  /** What shares say of the translations that their recipients ask for. */
  ofTranslations: SharesOfTranslations;
  shares: Shares;
  healthLinks: HealthLinks;
  listener: EmbeddedListener;
  /** Whether recipients can open any share. */
  hasOpenShares(): boolean;
  /** What recipients may call, for the household's own address. */
  recipientRouter: ReturnType<typeof bindRecipients>;
  close(): Promise<void>;
}

/** Turned on, the service runs as the configuration says, but not never. */
function saveSwitch({ save, config }: Platform['settings'], isOn: boolean): void {
  if (!isOn) return void save({ share_listen: 'never' });
  if (config['share.listen'] !== 'never') return;
  save({ share_listen: null });
  if (config['share.listen'] === 'never') save({ share_listen: 'while_open' });
}

/** The LOINC code and the UCUM unit of a canonical lab test, if no other one has the same code. */
const loincIn =
  (knowledge: ReadingParts['knowledge']) =>
  (code: string): { loinc: string; ucum: string | null } | null => {
    const test = knowledge.byCanonicalCode('lab_tests', code);
    return test && !test.sharesCode ? { loinc: test.code, ucum: test.unit } : null;
  };

const languagesIn = (config: Config): ReturnType<Translator['languages']> => ({
  usual: LANGUAGES[config['llm.translation_target_language']],
  offered: config['llm.translation_allowed_languages'].map((code) => LANGUAGES[code]),
});

/** The translations of the household, for recipients. */
const translatorOf = (
  config: Config,
  { providers, pipeline }: Pick<ReadingParts, 'providers' | 'pipeline'>,
  { translations }: Pick<Documents, 'translations'>,
): Translator => ({
  isAvailable: ({ providerId, furthest }) => providers.general.isAvailable(providerId, furthest ?? undefined),
  languages: () => languagesIn(config),
  request(documentId, { page, bbox, language, ocrProvider }, { shareId, providerId, furthest }) {
    const ocr = ocrProvider !== null && pipeline.hasProvider('ocr', ocrProvider) ? ocrProvider : null;
    const body = { page, bbox, target_language: language, ocr_provider_id: ocr, llm_provider_id: providerId };
    const shared = { shareId, ...(furthest && { furthest }) };
    return translations.requestRegion(documentId, body, shared).region_id;
  },
});

/** Composes shares: their administration, and the service for recipients beside it. */
export function composeShares(
  platform: Platform,
  reading: Pick<ReadingParts, 'largeWork' | 'knowledge' | 'providers' | 'frames' | 'pipeline'>,
  documents: Pick<Documents, 'translations'>,
): ShareParts {
  const { largeWork, knowledge, providers, frames, pipeline } = reading;
  const { root, db, access, clock, ids, log, config, settings, vault, audit, announce } = platform;
  const readMail = mailSettingsIn(config);
  const shareLog = log.child('share');
  const vaultKey = openSecretKey(root);
  const shareDatabase = openSplitDatabase(join(root, DATABASE_FILE));
  const watermark = createWatermark({ clock, largeWork, limits: pageLimits(config) });
  const recipients = createRecipients({
    db: shareDatabase,
    watermark,
    renderer: frames,
    resolve: vault.resolve,
    // Recipients never have pages sent elsewhere.
    ocr: () => providers.ocr('auto'),
    vaultKey,
    clock,
    log: shareLog,
    sendCode: () => codeMailer(readMail),
    translator: translatorOf(config, reading, documents),
  });
  const onChange = (): void => announce({ kind: 'shares' });
  const tunnel = createShareTunnel({ config, clock, log: shareLog, audit, onChange });
  const side = { publicAddress: tunnel.address, proxies: tunnel.proxies };
  const http: RecipientHttpDeps = { recipients, vaultKey, config, clock, log, side };
  const { hasOpen } = createShareRepository(shareDatabase.reader);
  const hasOpenShares = (): boolean => hasOpen(toTimestamp(clock.now()), null);
  const listener = createShareListener({
    config,
    clock,
    log: shareLog,
    tunnel,
    createServer: () => createShareServer(http),
    hasOpenShares,
    isSafeMode: platform.isSafeMode,
    tidy() {
      recipients.tidy();
      void healthLinks.sweep();
    },
    save: (isOn) => saveSwitch(settings, isOn),
    onChange,
  });
  const healthLinks = createHealthLinks({
    ...{ db, ids, clock, vaultKey, watermark, largeWork, log: shareLog },
    resolve: vault.resolve,
    async publicUrl() {
      await listener.addressed();
      return listener.status().public_url;
    },
    currentOrigin: listener.knownAddress,
    loincOf: loincIn(knowledge),
  });
  settings.onChange((changed) => {
    if (changed.some((name) => name.startsWith('share_'))) void listener.refresh();
  });
  const endServing = serveShareMode({
    ...{ db, clock, log: shareLog, hasOpenShares, wake: pipeline.wake },
    offer: () => ({
      home: providers.general.isAvailable(null, 'home-network'),
      models: providers.general.models().map(({ id }) => id),
      usual: languagesIn(config).usual,
      offered: [...languagesIn(config).offered],
    }),
  });
  return {
    ofTranslations: { isOpenFor: recipients.isOpenFor, noteTranslation: recipients.translations.note },
    shares: createShares({
      ...{ db, access, clock, ids, vaultKey, listener, healthLinks },
      files: { watermark, resolve: vault.resolve },
      canMail: () => canSendMail(readMail),
      translation: () => ({
        home: providers.general.isAvailable(null, 'home-network'),
        services: providers.general
          .models()
          .filter(({ reach }) => reach === 'internet')
          .map(({ id, name }) => ({ id, name })),
      }),
    }),
    healthLinks,
    listener,
    hasOpenShares,
    // No proxy is in front of the household's own address.
    recipientRouter: bindRecipients({ ...http, side: { ...side, proxies: () => [] } }),
    async close() {
      endServing();
      await Promise.all([listener.close(), healthLinks.close()]);
      await Promise.all([recipients.codes.close(), watermark.close()]);
      shareDatabase.close();
    },
  };
}
