import { makePdf } from '../pdf/make-pdf.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import type { BackupSource } from '../source/source.ts';
import type { Task } from '../task.ts';
import type { PhoneLabels } from '../labels.ts';
import { saveBlob } from './download.ts';

/** Ways to export text for which the PDF has no font. */
export interface OtherWays {
  html: () => Promise<void>;
  print: () => Promise<void>;
}

/** Names of scripts (ISO 15924) in the user's language. */
export function scriptNames(missing: Readonly<Record<string, number>>, locale: string): string {
  const names = new Intl.DisplayNames([locale], { type: 'script' });
  return new Intl.ListFormat(locale).format(Object.keys(missing).map((script) => names.of(script) ?? script));
}

/** Makes a PDF and saves it; asks first when no font can render some of the text. */
export async function savePdf(
  { content, filename }: PdfExport,
  source: BackupSource,
  { t, formats }: Pick<PhoneLabels, 't' | 'formats'>,
  task: Task,
  others: OtherWays | null = null,
): Promise<void> {
  task.progress(0);
  const { file, missing } = await makePdf(content, source, task);
  if (Object.keys(missing).length === 0) return saveBlob(file, filename);
  const answers = [
    { name: t('pdf_export.save_anyway'), value: 'pdf' },
    ...(others
      ? [
          { name: t('as_html'), value: 'html' },
          { name: t('as_print'), value: 'print' },
        ]
      : []),
  ];
  const choice = await task.ask({
    title: t('pdf_export.missing_title'),
    text: t('pdf_export.missing_text', { scripts: scriptNames(missing, formats.locale) }),
    answers,
  });
  if (choice === 'pdf') saveBlob(file, filename);
  else if (choice === 'html') await others?.html();
  else if (choice === 'print') await others?.print();
}
