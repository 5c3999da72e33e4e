import type { CoreLanguage } from '../../../src-shared/contract/core-languages.ts';

/** How the household names its events; in English as the archive has them. */
const TITLES: Record<Exclude<CoreLanguage, 'en'>, Record<string, string>> = {
  de: {
    'New right hip': 'Neue Hüfte rechts',
    Thyroid: 'Schilddrüse',
    'Pregnancy and birth of Nora': 'Schwangerschaft und Geburt von Nora',
    'Mole removed': 'Muttermal entfernt',
    'Knee: torn meniscus': 'Knie: Meniskusriss',
    'Peanut allergy': 'Erdnussallergie',
    'Broken wrist': 'Handgelenk gebrochen',
  },
};

/** The title of an event of the household in a language; null if it keeps the one that it has. */
export const eventTitleIn = (language: CoreLanguage, title: string): string | null =>
  language === 'en' ? null : (TITLES[language][title] ?? null);
