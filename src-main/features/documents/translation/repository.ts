import { eq, and } from 'drizzle-orm';
import type { Database } from '../../../platform/database/connection.ts';
import { document_texts, documents, region_translations } from '../../../platform/database/schema/index.ts';

export type RegionRecord = typeof region_translations.$inferSelect;
export type TranslationRepository = ReturnType<typeof createTranslationRepository>;

/** English texts of documents, and translated parts of pages. */
export function createTranslationRepository({ orm }: Database) {
  return {
    region: (id: number): RegionRecord | undefined =>
      orm.select().from(region_translations).where(eq(region_translations.id, id)).get(),
    regionOf: (documentId: number, id: number): RegionRecord | undefined =>
      orm
        .select()
        .from(region_translations)
        .where(and(eq(region_translations.id, id), eq(region_translations.document_id, documentId)))
        .get(),
    insertRegion: (row: Omit<typeof region_translations.$inferInsert, 'id'>): number =>
      orm.insert(region_translations).values(row).returning({ id: region_translations.id }).get().id,
    updateRegion: (id: number, change: Partial<RegionRecord>) =>
      orm.update(region_translations).set(change).where(eq(region_translations.id, id)).run(),
    removeRegion: (id: number) => orm.delete(region_translations).where(eq(region_translations.id, id)).run(),
    saveEnglish(documentId: number, english: string, model: string, now: string): void {
      orm.update(document_texts).set({ english }).where(eq(document_texts.id, documentId)).run();
      orm
        .update(documents)
        .set({ ocr_text_en_model: model, ocr_text_en_translated_at: now })
        .where(eq(documents.id, documentId))
        .run();
    },
  };
}
